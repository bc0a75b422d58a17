import type { FeatureGates } from "../../api/feature-gates.ts";
import type { SettledPicker, UnaskedPicker } from "../../decisions/downscale/picker-progress.ts";
import type { PickerState } from "../../decisions/downscale/picker-state.ts";
import type { WatchSource } from "../../machinery/controller.ts";

/**
 * Asks pod pickers for the ReplicaSet controller without blocking it: a call runs by itself and, as a watch source,
 * enqueues its ReplicaSet when it has ended. The three commands are what actions of a plan are applied with.
 */
export interface PickerPort<T> extends WatchSource {
  /** What is known about the picker of a workload; changes nothing. */
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
