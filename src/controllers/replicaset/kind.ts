import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { ReplicationController } from "../../api/generated/core-v1.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";
import type { Resource } from "../../api/resource.ts";
import { replicaSets, replicationControllers } from "../../api/resources.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { downscalePodPickerOf } from "../../api/workload-settings.ts";
import { labelMapSelection, workloadSelection } from "../../api/labels/workload-selection.ts";

/** What differs between the two kinds that the controller serves. */
export interface ReplicaKind<T extends ReplicaOwner> {
  readonly resource: Resource<T>;
  /** Names the controller and its queue. */
  readonly controller: string;
  /** The source of its events. */
  readonly component: string;
  /** Whether its status has a field for terminating Pods. */
  readonly countsTerminating: boolean;
  /** Which Pods an owner selects; `undefined` when its selector is empty or cannot be read. */
  readonly selectionOf: (owner: T) => LabelSelection | undefined;
  /** The pod picker of an owner, not validated; `undefined` without one. */
  readonly pickerOf: (owner: T) => unknown;
}

export const replicaSetKind: ReplicaKind<ReplicaSet> = {
  resource: replicaSets,
  controller: "replicaset",
  component: "replicaset-controller",
  countsTerminating: true,
  selectionOf: workloadSelection,
  pickerOf: downscalePodPickerOf,
};

export const replicationControllerKind: ReplicaKind<ReplicationController> = {
  resource: replicationControllers,
  controller: "replicationmanager",
  component: "replication-controller",
  countsTerminating: false,
  selectionOf: labelMapSelection,
  pickerOf: () => undefined,
};
