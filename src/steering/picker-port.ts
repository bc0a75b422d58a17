import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type {
  PickerProgress,
  RemovalRequest,
  SettledPicker,
  UnaskedPicker,
} from "../decisions/downscale/picker-progress.ts";
import type { WatchSource } from "../machinery/controller.ts";

/** How pickers are asked: the part of the ReplicaSet controller's port that a decision at admission needs. */
export interface PickerPort extends WatchSource {
  progressOf(owner: ReplicaSet, request: RemovalRequest): PickerProgress;
  ask(owner: ReplicaSet, unasked: UnaskedPicker): void;
  settle(owner: ReplicaSet, settled: SettledPicker): void;
  dismiss(key: string): void;
}
