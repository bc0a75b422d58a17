import type { FeatureGates } from "../../api/feature-gates.ts";
import type {
  PickerProgress,
  RemovalRequest,
  SettledPicker,
  UnaskedPicker,
} from "../../decisions/downscale/picker-progress.ts";
import type { PickerHealth } from "../../decisions/replicas/picker-condition.ts";
import type { WatchSource } from "../../machinery/controller.ts";

/**
 * Asks pod pickers for the ReplicaSet controller without blocking it: a call runs by itself and, as a watch source,
 * enqueues its ReplicaSet when it has ended. The three questions change nothing; the three commands are what actions of a
 * plan are applied with.
 */
export interface PickerPort<T> extends WatchSource {
  /** How far asking about a removal has come. */
  progressOf(owner: T, request: RemovalRequest): PickerProgress;
  /** Whether there is a call, or an answer that was not used, for the workload of this key. */
  isAsked(key: string): boolean;
  /** How the picker of a workload does, for its status. */
  healthOf(owner: T, gates: FeatureGates): PickerHealth;
  /** Starts the call that `progressOf` found missing, in place of an earlier one. */
  ask(owner: T, unasked: UnaskedPicker): void;
  /** Records that an outcome `progressOf` returned is used for a decision; an answer is used once. */
  settle(owner: T, settled: SettledPicker): void;
  /** Aborts a call and drops its answer: the workload has nothing to choose any more. */
  dismiss(key: string): void;
}

/** No workload has a picker. */
export const noPickers: PickerPort<unknown> = {
  progressOf: () => ({ kind: "none" }),
  isAsked: () => false,
  healthOf: () => ({ kind: "unknown" }),
  ask: () => undefined,
  settle: () => undefined,
  dismiss: () => undefined,
  synced: () => Promise.resolve(true),
};
