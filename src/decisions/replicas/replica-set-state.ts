import type { LabelSelection } from "../../api/labels/label-selector.ts";
import type { Resource } from "../../api/resource.ts";
import type { PickerState } from "../downscale/picker-state.ts";
import type { ReplicasState } from "./plan-replicas.ts";
import type { RemovalState } from "./removal-facts.ts";

/** All that a plan for a ReplicaSet or ReplicationController depends on. */
export interface ReplicaSetState extends ReplicasState, RemovalState {
  /** The kind of the owner, as its Pods refer to it. */
  readonly resource: Resource;
  readonly selection: LabelSelection;
  /** How many of its Pods are being deleted; absent where that is not reported. */
  readonly terminating?: number | undefined;
  readonly picker: PickerState;
}
