import type { Store } from "../../../src/cluster/store/store.ts";
import type { Clock } from "../../../src/machinery/clock/clock.ts";
import type { Process, SimulationObservation } from "../../../src/simulation/observation.ts";

/** What a trial does to the cluster; some invariants hold only under good conditions. */
export interface TrialConditions {
  readonly hasFaults: boolean;
  /** The longest time that a request, a response or a watch event takes. */
  readonly latencyMs: number;
}

/** What an invariant sees of a cluster besides the observations. */
export interface InvariantContext {
  readonly clock: Clock;
  readonly conditions: TrialConditions;
  /** Absent while the cluster is being started. */
  readonly store: () => Store | undefined;
  /** The processes that run. */
  readonly processes: () => readonly Process[];
}

/** Check observations by their kind, in order; each returns a sentence about what is wrong with one. */
export type InvariantHandlers = {
  readonly [K in SimulationObservation["kind"]]?: (
    observation: SimulationObservation & { readonly kind: K },
  ) => string | undefined;
};

/** Something that holds in every cluster, whatever faults are injected. */
export interface Invariant {
  readonly name: string;
  /** What holds, as a sentence. */
  readonly description: string;
  /** Begins to check a cluster. */
  readonly begin: (context: InvariantContext) => InvariantHandlers;
}
