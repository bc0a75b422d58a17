import type { Client } from "../../../src/machinery/client/client.ts";
import type { Random } from "../../../src/machinery/random/random.ts";

/** The user of a cluster: what one does is left to chance. */
export interface User {
  readonly client: Client;
  readonly random: Random;
}

/** Something a user does. A refusal by the API is not retried. */
export type UserAction = (user: User) => Promise<unknown>;

/** A workload generator: what users do to a cluster, different with every seed. */
export interface Scenario {
  readonly name: string;
  /** What it is about, in a sentence. */
  readonly description: string;
  readonly nodes: number;
  /** Creates what the cluster begins with. */
  readonly prepare: UserAction;
  /** What users do then, each as likely as the others. */
  readonly userActions: readonly UserAction[];
  /** Components that may crash, be cut off or have a wrong clock. */
  readonly restartable: readonly string[];
  /** Cluster faults that are always possible; of the others, each is in about half of the trials. */
  readonly clusterFaults?: readonly string[];
  /** In a trial without faults: how long requests may take, one of these. Absent: faults are injected. */
  readonly latenciesMs?: readonly number[];
  /** When faults are over: undoes what would keep workloads from completing. */
  readonly finish?: UserAction;
}
