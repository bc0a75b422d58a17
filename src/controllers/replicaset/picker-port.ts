import type { FeatureGates } from "../../api/feature-gates.ts";
import type { SettledPicker, UnaskedPicker } from "../../decisions/downscale/picker-progress.ts";
import type { PickerState } from "../../decisions/downscale/picker-state.ts";
import type { WatchSource } from "../../machinery/controller.ts";

/**
 * Asks pod pickers for the ReplicaSet controller without blocking it: a call runs in the background, and the port, as a
 * watch source, enqueues the ReplicaSet when the call has ended. `ask`, `settle` and `dismiss` apply actions of a plan.
 */
export interface PickerPort<T> extends WatchSource {
  /** Returns what is known about the picker of a workload, without side effects. */
  stateOf(owner: T, gates: FeatureGates): PickerState;
  /** Starts a call in place of an earlier one. */
  ask(owner: T, unasked: UnaskedPicker): void;
  /** Records that an outcome is used for a decision; an answer is used once. */
  settle(owner: T, settled: SettledPicker): void;
  /** Aborts a call and drops its answer: the workload has nothing to choose any more. */
  dismiss(key: string): void;
}

/** No workload has a picker. */
export const noPickers: PickerPort<unknown> = {
  stateOf: () => ({ health: { kind: "unknown" }, isAsked: false }),
  ask: () => undefined,
  settle: () => undefined,
  dismiss: () => undefined,
  synced: () => Promise.resolve(true),
};
