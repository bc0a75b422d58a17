import type { Instant } from "../../api/time.ts";
import type { Observation, Observer } from "../observation.ts";
import type { Invariant, InvariantHandlers, InvariantContext } from "./invariant.ts";

/** A promise that was broken. */
export interface Violation {
  readonly invariant: string;
  readonly description: string;
  /** What happened instead. */
  readonly details: string;
  /** In the time of the world. */
  readonly at: Instant;
}

/** Holds a world to its promises; after the first breach it has seen enough. */
export class InvariantChecker {
  readonly #judges: readonly (readonly [Invariant, InvariantHandlers])[];
  readonly #scene: InvariantContext;
  #breach: Violation | undefined;

  constructor(invariants: readonly Invariant[], scene: InvariantContext) {
    this.#scene = scene;
    this.#judges = invariants.map((invariant) => [invariant, invariant.begin(scene)]);
  }

  get violation(): Violation | undefined {
    return this.#breach;
  }

  readonly observe: Observer = (observation) => {
    for (const [{ name, description }, judge] of this.#judges) {
      if (this.#breach !== undefined) return;
      const what = heard(judge, observation);
      if (what !== undefined)
        this.#breach = {
          invariant: name,
          description: description,
          details: what,
          at: this.#scene.clock.now(),
        };
    }
  };
}

/** The type of a judge pairs each kind of observation with who judges it, which TypeScript does not follow here. */
function heard(judge: InvariantHandlers, observation: Observation): string | undefined {
  const of = judge[observation.kind] as ((observation: Observation) => string | undefined) | undefined;
  return of?.(observation);
}
