import type { Client } from "../../machinery/client/client.ts";
import type { Random } from "../../machinery/random/random.ts";

/** The people of a world: what they do is left to chance. */
export interface User {
  readonly client: Client;
  readonly random: Random;
}

/** Something people do. Whatever the API refuses them they live with. */
export type UserAction = (people: User) => Promise<unknown>;

/** A story that is different with every seed. */
export interface Scenario {
  readonly name: string;
  /** What it is about, in a sentence. */
  readonly description: string;
  readonly nodes: number;
  /** What people begin with. */
  readonly prepare: UserAction;
  /** What they do then, each as likely as the others. */
  readonly userActions: readonly UserAction[];
  /** Parts that may die, be cut off or be wrong about the time. */
  readonly restartable: readonly string[];
  /** Calamities that its storms always bring; others come or do not. */
  readonly clusterFaults?: readonly string[];
}
