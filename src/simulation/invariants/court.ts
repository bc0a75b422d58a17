import type { Instant } from "../../api/time.ts";
import type { Observation, Observer } from "../observation.ts";
import type { Invariant, Judge, Scene } from "./invariant.ts";

/** A promise that was broken. */
export interface Breach {
  readonly invariant: string;
  readonly promise: string;
  /** What happened instead. */
  readonly what: string;
  /** In the time of the world. */
  readonly at: Instant;
}

/** Holds a world to its promises; after the first breach it has seen enough. */
export class Court {
  readonly #judges: readonly (readonly [Invariant, Judge])[];
  readonly #scene: Scene;
  #breach: Breach | undefined;

  constructor(invariants: readonly Invariant[], scene: Scene) {
    this.#scene = scene;
    this.#judges = invariants.map((invariant) => [invariant, invariant.watch(scene)]);
  }

  get breach(): Breach | undefined {
    return this.#breach;
  }

  readonly observe: Observer = (observation) => {
    for (const [{ name, promise }, judge] of this.#judges) {
      if (this.#breach !== undefined) return;
      const what = heard(judge, observation);
      if (what !== undefined) this.#breach = { invariant: name, promise, what, at: this.#scene.clock.now() };
    }
  };
}

/** The type of a judge pairs each kind of observation with who judges it, which TypeScript does not follow here. */
function heard(judge: Judge, observation: Observation): string | undefined {
  const of = judge[observation.kind] as ((observation: Observation) => string | undefined) | undefined;
  return of?.(observation);
}
