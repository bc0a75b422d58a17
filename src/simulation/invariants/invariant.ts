import type { Store } from "../../cluster/store/store.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Inhabitant, Observation } from "../observation.ts";

/** What an invariant sees of a world besides what it is told. */
export interface Scene {
  readonly clock: Clock;
  /** Absent while the world is being made. */
  readonly store: () => Store | undefined;
  /** Who is alive. */
  readonly inhabitants: () => readonly Inhabitant[];
}

/** Judges observations by their kind, in order; says in a sentence what is wrong with one. */
export type Judge = {
  readonly [K in Observation["kind"]]?: (
    observation: Extract<Observation, { readonly kind: K }>,
  ) => string | undefined;
};

/** Something that holds in every world, whatever happens there. */
export interface Invariant {
  readonly name: string;
  /** What holds, as a sentence. */
  readonly promise: string;
  /** Begins to watch a world. */
  readonly watch: (scene: Scene) => Judge;
}
