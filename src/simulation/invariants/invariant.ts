import type { Store } from "../../cluster/store/store.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Process, Observation } from "../observation.ts";

/** What an invariant sees of a world besides what it is told. */
export interface InvariantContext {
  readonly clock: Clock;
  /** Absent while the world is being made. */
  readonly store: () => Store | undefined;
  /** Who is alive. */
  readonly processes: () => readonly Process[];
}

/** Judges observations by their kind, in order; says in a sentence what is wrong with one. */
export type InvariantHandlers = {
  readonly [K in Observation["kind"]]?: (
    observation: Extract<Observation, { readonly kind: K }>,
  ) => string | undefined;
};

/** Something that holds in every world, whatever happens there. */
export interface Invariant {
  readonly name: string;
  /** What holds, as a sentence. */
  readonly description: string;
  /** Begins to watch a world. */
  readonly begin: (scene: InvariantContext) => InvariantHandlers;
}
