import type { Client } from "../../../src/machinery/client/client.ts";
import type { Random } from "../../../src/machinery/random/random.ts";
import type { UserAction } from "../../../src/user-actions/user-action.ts";

/** The user of a cluster: what one does is left to chance. */
export interface User {
  /** Reads the cluster, and creates what it begins with. */
  readonly client: Client;
  readonly random: Random;
  readonly perform: (action: UserAction) => Promise<unknown>;
}

/** Draws what a user does next, and does it. A refusal by the API is not retried. */
export type UserStep = (user: User) => Promise<unknown>;

/** A workload generator: what users do to a cluster, different with every seed. */
export interface Scenario {
  readonly name: string;
  /** What it is about, in a sentence. */
  readonly description: string;
  readonly nodes: number;
  /** Creates what the cluster begins with. */
  readonly prepare: UserStep;
  /** What users do then, each as likely as the others. */
  readonly steps: readonly UserStep[];
  /** Keeps the cluster on a simulated disk, which can fail. */
  readonly hasDisk?: boolean;
  /** Components that may crash, be cut off or have a wrong clock. */
  readonly restartable: readonly string[];
  /** Cluster faults that are always possible; of the others, each is in about half of the trials. */
  readonly clusterFaults?: readonly string[];
  /** In a trial without faults: how long requests may take, one of these. Absent: faults are injected. */
  readonly latenciesMs?: readonly number[];
  /** When faults are over: undoes what would keep workloads from completing. */
  readonly finish?: UserStep;
}
