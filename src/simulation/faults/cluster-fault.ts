import type { Random } from "../../machinery/random/random.ts";
import type { DiskConditions } from "../disk/simulated-disk.ts";
import type { Processes } from "../processes.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import type { FaultSchedule } from "./fault-schedule.ts";
import type { NodeFaults } from "./node-faults.ts";

/** What a cluster fault can reach. */
export interface FaultContext {
  readonly cluster: SimulatedCluster;
  readonly processes: Processes;
  readonly schedule: FaultSchedule;
  readonly nodeFaults: NodeFaults;
  readonly random: Random;
  /** The disk of the API server; absent: the cluster is kept in memory. */
  readonly disk?: DiskConditions | undefined;
  /** Components that may crash, be cut off or have a wrong clock. */
  readonly restartable: readonly string[];
}

/** A fault of the cluster as a whole, rather than of one request or watch. */
export interface ClusterFault {
  readonly name: string;
  /** Where it can happen; absent: everywhere. */
  readonly needs?: "disk";
  /** Resolves when its effects are over, which is soon after the schedule has stopped at the latest. */
  readonly inject: (context: FaultContext) => Promise<void>;
}
