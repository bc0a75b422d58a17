import type { Instant } from "../../../src/api/time.ts";
import type { SimulationObservation, Observer } from "../../../src/simulation/observation.ts";
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

/** Checks invariants until the first violation. */
export class InvariantChecker {
  readonly #checks: readonly (readonly [Invariant, InvariantHandlers])[];
  readonly #context: InvariantContext;
  #violation: Violation | undefined;

  constructor(invariants: readonly Invariant[], context: InvariantContext) {
    this.#context = context;
    this.#checks = invariants.map((invariant) => [invariant, invariant.begin(context)]);
  }

  get violation(): Violation | undefined {
    return this.#violation;
  }

  readonly observe: Observer = (observation) => {
    for (const [{ name, description }, check] of this.#checks) {
      if (this.#violation !== undefined) return;
      const details = violationIn(check, observation);
      if (details !== undefined)
        this.#violation = {
          invariant: name,
          description,
          details,
          at: this.#context.clock.now(),
        };
    }
  };
}

/** The type of a check pairs each kind of observation with its handler, which TypeScript does not follow here. */
function violationIn(check: InvariantHandlers, observation: SimulationObservation): string | undefined {
  const of = check[observation.kind] as
    | ((observation: SimulationObservation) => string | undefined)
    | undefined;
  return of?.(observation);
}
