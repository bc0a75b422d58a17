import type { FeatureGates } from "../api/feature-gates.ts";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { SettledPicker, UnaskedPicker } from "../decisions/downscale/picker-progress.ts";
import type { PickerState, StandingAnswer } from "../decisions/downscale/picker-state.ts";
import type { WatchSource } from "../machinery/controller.ts";

/** How pickers are asked: as the port of the ReplicaSet controller, whose folder this one does not import. */
export interface PickerCaller extends WatchSource {
  stateOf(owner: ReplicaSet, gates: FeatureGates): PickerState;
  ask(owner: ReplicaSet, unasked: UnaskedPicker): void;
  settle(owner: ReplicaSet, settled: SettledPicker, standing?: StandingAnswer): void;
  dismiss(key: string): void;
}
