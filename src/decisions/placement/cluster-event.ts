import type { ReplicaSet, StatefulSet } from "../../api/generated/apps-v1.ts";
import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  Service,
} from "../../api/generated/core-v1.ts";
import type { StorageClass } from "../../api/generated/storage-v1.ts";
import { describeNode, type NodeDescription } from "./objects/node-info.ts";
import type { PodInfo } from "./objects/pod-info.ts";
import type { ClusterView } from "./view/cluster-view.ts";

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
  | ({ readonly resource: "PersistentVolumeClaim" } & ObjectEvent<ObjectAction, PersistentVolumeClaim>)
  | ({ readonly resource: "PersistentVolume" } & ObjectEvent<ObjectAction, PersistentVolume>)
  | ({ readonly resource: "StorageClass" } & ObjectEvent<ObjectAction, StorageClass>)
  | ({ readonly resource: "ReplicaSet" | "StatefulSet" | "ReplicationController" } & ObjectEvent<
      ObjectAction,
      SelectingController
    >);

/** What a plugin registers for. Assigned and unscheduled Pods count alike, and so do the selecting controllers. */
type ClusterEventType =
  | `Pod/${PodAction}`
  | `Node/${NodeAction}`
  | `Service/${ObjectAction}`
  | `${"PersistentVolumeClaim" | "PersistentVolume" | "StorageClass"}/${ObjectAction}`
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
    case "PersistentVolumeClaim":
    case "PersistentVolume":
    case "StorageClass":
      return `${event.resource}/${event.action}`;
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

/** The events that may make a Pod schedulable that a plugin rejected (upstream: EventsToRegister). */
export interface QueueingHints {
  /** An event of any other type cannot help. */
  readonly events: ReadonlySet<ClusterEventType>;
  /** Whether a registered event may help a waiting Pod (upstream: QueueingHintFn); when in doubt, it may. */
  readonly isHelpful: (waiting: PodInfo, event: ClusterEvent, cluster: ClusterView) => boolean;
  /**
   * Whether an event of another object helps all Pods of a template or none, so that one of them need be asked (see
   * `perTemplate` for what templates have in common). Absent: each is asked.
   */
  readonly isPerTemplate?: boolean;
}

/** Hints of a plugin that registers for these events; without a function, each of them may help. */
export function queueingHints(
  events: readonly ClusterEventType[],
  isHelpful: QueueingHints["isHelpful"] = () => true,
): QueueingHints {
  return { events: new Set(events), isHelpful };
}

/** Hints of a plugin that cannot tell Pods of one template apart. */
export function templateHints(
  events: readonly ClusterEventType[],
  isHelpful?: QueueingHints["isHelpful"],
): QueueingHints {
  return { ...queueingHints(events, isHelpful), isPerTemplate: true };
}

/** Hints of a plugin whose rejections no event resolves: the Pod is only tried again after a long wait. */
export const noHints: QueueingHints = queueingHints([]);
