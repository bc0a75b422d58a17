import type { Random } from "../../machinery/random/random.ts";
import type { Processes } from "../processes.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import type { NodeFaults } from "./node-faults.ts";
import type { FaultSchedule } from "./fault-schedule.ts";

/** Where calamities strike. */
export interface FaultContext {
  readonly world: SimulatedCluster;
  readonly population: Processes;
  readonly weather: FaultSchedule;
  readonly nodes: NodeFaults;
  readonly random: Random;
  /** Parts that may die, be cut off or be wrong about the time. */
  readonly mortals: readonly string[];
}

/** Something that happens to the world as a whole, from its beginning to its end. */
export interface ClusterFault {
  readonly name: string;
  /** Resolves when its traces are gone, which is soon after the storm at the latest. */
  readonly inject: (realm: FaultContext) => Promise<void>;
}
