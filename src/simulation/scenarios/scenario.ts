import type { Client } from "../../machinery/client/client.ts";
import type { Random } from "../../machinery/random/random.ts";

/** The people of a world: what they do is left to chance. */
export interface People {
  readonly client: Client;
  readonly random: Random;
}

/** Something people do. Whatever the API refuses them they live with. */
export type Deed = (people: People) => Promise<unknown>;

/** A story that is different with every seed. */
export interface Scenario {
  readonly name: string;
  /** What it is about, in a sentence. */
  readonly about: string;
  readonly nodes: number;
  /** What people begin with. */
  readonly prepare: Deed;
  /** What they do then, each as likely as the others. */
  readonly deeds: readonly Deed[];
  /** Parts that may die, be cut off or be wrong about the time. */
  readonly mortals: readonly string[];
  /** Calamities that its storms always bring; others come or do not. */
  readonly calamities?: readonly string[];
}
