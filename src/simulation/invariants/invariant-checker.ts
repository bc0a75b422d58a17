import type { Instant } from "../../api/time.ts";
import type { Observation, Observer } from "../observation.ts";
import type { Invariant, InvariantHandlers, InvariantContext } from "./invariant.ts";

/** An invariant that did not hold. */
export interface Violation {
  readonly invariant: string;
  readonly description: string;
  /** What happened instead. */
  readonly details: string;
  /** In the time of the cluster. */
  readonly at: Instant;
}

/** Holds a cluster to its promises; after the first violation it has seen enough. */
export class InvariantChecker {
  readonly #checks: readonly (readonly [Invariant, InvariantHandlers])[];
  readonly #scene: InvariantContext;
  #violation: Violation | undefined;

  constructor(invariants: readonly Invariant[], scene: InvariantContext) {
    this.#scene = scene;
    this.#checks = invariants.map((invariant) => [invariant, invariant.begin(scene)]);
  }

  get violation(): Violation | undefined {
    return this.#violation;
  }

  readonly observe: Observer = (observation) => {
    for (const [{ name, description }, check] of this.#checks) {
      if (this.#violation !== undefined) return;
      const what = heard(check, observation);
      if (what !== undefined)
        this.#violation = {
          invariant: name,
          description: description,
          details: what,
          at: this.#scene.clock.now(),
        };
    }
  };
}

/** The type of a check pairs each kind of observation with who checks it, which TypeScript does not follow here. */
function heard(check: InvariantHandlers, observation: Observation): string | undefined {
  const of = check[observation.kind] as ((observation: Observation) => string | undefined) | undefined;
  return of?.(observation);
}
