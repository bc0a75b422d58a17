import type { ReplicaSet, StatefulSet } from "../../api/generated/apps-v1.ts";
import type { Node, Pod, ReplicationController, Service } from "../../api/generated/core-v1.ts";

/** What can happen to a Pod, as far as a waiting Pod may care. */
export type PodAction =
  | "Add"
  | "Delete"
  | "Update"
  | "UpdatePodLabel"
  | "UpdatePodScaleDown"
  | "UpdatePodToleration"
  | "UpdatePodSchedulingGatesEliminated";

/** What can happen to a node. */
export type NodeAction =
  | "Add"
  | "Delete"
  | "UpdateNodeAllocatable"
  | "UpdateNodeLabel"
  | "UpdateNodeTaint"
  | "UpdateNodeCondition"
  | "UpdateNodeAnnotation";

/** What can happen to any other object. */
export type ObjectAction = "Add" | "Update" | "Delete";

/** The state before, absent for an Add, and the state after, absent for a Delete. */
export interface ObjectChange<T> {
  readonly before?: T;
  readonly after?: T;
}

interface Happening<Action extends string, T> extends ObjectChange<T> {
  readonly action: Action;
}

/** Objects that default spreading takes selectors from. */
export type SelectingController = ReplicaSet | StatefulSet | ReplicationController;

/** Something that happened in the cluster, in Kubernetes' words: one change may be several events. */
export type ClusterEvent =
  | ({ readonly resource: "AssignedPod" | "UnscheduledPod" } & Happening<PodAction, Pod>)
  | ({ readonly resource: "Node" } & Happening<NodeAction, Node>)
  | ({ readonly resource: "Service" } & Happening<ObjectAction, Service>)
  | ({ readonly resource: "ReplicaSet" | "StatefulSet" | "ReplicationController" } & Happening<
      ObjectAction,
      SelectingController
    >);

/** What a plugin may want to hear of; a Pod is a Pod whether it has a node or not, and owners are all alike. */
export type ClusterEventType =
  | `Pod/${PodAction}`
  | `Node/${NodeAction}`
  | `Service/${ObjectAction}`
  | `Owner/${ObjectAction}`;

/** The topic of an event. */
export function clusterEventTypeOf(event: ClusterEvent): ClusterEventType {
  switch (event.resource) {
    case "AssignedPod":
    case "UnscheduledPod":
      return `Pod/${event.action}`;
    case "Node":
      return `Node/${event.action}`;
    case "Service":
      return `Service/${event.action}`;
    case "ReplicaSet":
    case "StatefulSet":
    case "ReplicationController":
      return `Owner/${event.action}`;
  }
}

/** What metrics call an event: `AssignedPodDelete`, `NodeAdd`. */
export function eventName({ resource, action }: ClusterEvent): string {
  return `${resource}${action}`;
}
