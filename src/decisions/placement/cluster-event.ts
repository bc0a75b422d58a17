import type { ReplicaSet, StatefulSet } from "../../api/generated/apps-v1.ts";
import type { Node, Pod, ReplicationController, Service } from "../../api/generated/core-v1.ts";
import { describeNode, type NodeDescription } from "./objects/node-info.ts";
import type { PodInfo } from "./objects/pod-info.ts";

/** The actions on a Pod that may make another Pod schedulable, in Kubernetes' words. */
export type PodAction =
  | "Add"
  | "Delete"
  | "Update"
  | "UpdatePodLabel"
  | "UpdatePodScaleDown"
  | "UpdatePodToleration"
  | "UpdatePodSchedulingGatesEliminated";

/** The actions on a node. */
export type NodeAction =
  | "Add"
  | "Delete"
  | "UpdateNodeAllocatable"
  | "UpdateNodeLabel"
  | "UpdateNodeTaint"
  | "UpdateNodeCondition"
  | "UpdateNodeAnnotation";

/** The actions on any other object. */
export type ObjectAction = "Add" | "Update" | "Delete";

/** The state of an object before, absent for an Add, and after, absent for a Delete. */
export interface ObjectChange<T> {
  readonly before?: T;
  readonly after?: T;
}

interface ObjectEvent<Action extends string, T> extends ObjectChange<T> {
  readonly action: Action;
}

/** Controllers whose selectors default spreading uses. */
export type SelectingController = ReplicaSet | StatefulSet | ReplicationController;

/** A change in the cluster, as queueing hints see it; one update of an object may be several events. */
export type ClusterEvent =
  | ({ readonly resource: "AssignedPod" | "UnscheduledPod" } & ObjectEvent<PodAction, Pod>)
  | ({ readonly resource: "Node" } & ObjectEvent<NodeAction, Node>)
  | ({ readonly resource: "Service" } & ObjectEvent<ObjectAction, Service>)
  | ({ readonly resource: "ReplicaSet" | "StatefulSet" | "ReplicationController" } & ObjectEvent<
      ObjectAction,
      SelectingController
    >);

/** What a plugin registers for. Assigned and unscheduled Pods count alike, and so do the selecting controllers. */
export type ClusterEventType =
  | `Pod/${PodAction}`
  | `Node/${NodeAction}`
  | `Service/${ObjectAction}`
  | `Controller/${ObjectAction}`;

/** The type of an event. */
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
      return `Controller/${event.action}`;
  }
}

/** The name of an event in metrics: `AssignedPodDelete`, `NodeAdd`. */
export function eventName({ resource, action }: ClusterEvent): string {
  return `${resource}${action}`;
}

/** Whether a node event turned a node that did not match into one that does. */
export function nodeBecomes(event: ClusterEvent, matches: (node: NodeDescription) => boolean): boolean {
  if (event.resource !== "Node" || event.after === undefined) return false;
  const isMatch = (node: Node | undefined) => node !== undefined && matches(describeNode(node));
  return isMatch(event.after) && !isMatch(event.before);
}

/** Whether an event is an update of the waiting Pod itself. */
export function isUpdateOf(waiting: PodInfo, event: ClusterEvent): boolean {
  const isPod = event.resource === "AssignedPod" || event.resource === "UnscheduledPod";
  return isPod && event.after?.metadata.uid === waiting.pod.metadata.uid;
}
