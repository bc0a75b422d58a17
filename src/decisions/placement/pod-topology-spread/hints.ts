import type { Node, Pod, Service } from "../../../api/generated/core-v1.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import { matchesLabels } from "../../../api/labels/label-selector.ts";
import { controllerOf } from "../../../api/owner-references.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { labelOf } from "../objects/reading.ts";
import { hasAllKeys } from "./counting.ts";
import type { PodTopologySpreadArgs } from "./args.ts";
import { effectiveConstraints } from "./effective-constraints.ts";
import type { SpreadConstraint } from "../objects/spread-constraint.ts";
import {
  type ObjectChange,
  type ClusterEvent,
  type SelectingController,
  type QueueingHints,
  templateHints,
} from "../cluster-event.ts";

type Hard = readonly SpreadConstraint[];

/**
 * A change of the Pods that are counted, of nodes in the domains, or, for default constraints, of the Services and
 * controllers whose selectors say which Pods are counted. Only hard constraints reject nodes.
 */
export function podTopologySpreadHints(args: PodTopologySpreadArgs): QueueingHints {
  return templateHints(
    [
      "Pod/Add",
      "Pod/UpdatePodLabel",
      "Pod/UpdatePodToleration",
      "Pod/Delete",
      "Node/Add",
      "Node/Delete",
      "Node/UpdateNodeLabel",
      "Node/UpdateNodeTaint",
      "Service/Add",
      "Service/Update",
      "Service/Delete",
      "Controller/Add",
      "Controller/Update",
      "Controller/Delete",
    ],
    (waiting, event, cluster) => {
      if (event.resource === "Service") return selectionChanged(waiting, event);
      if (isControllerEvent(event)) return controllerChanged(waiting, event);
      if (
        event.resource !== "Node" &&
        event.resource !== "AssignedPod" &&
        event.resource !== "UnscheduledPod"
      )
        return false;
      const hard = effectiveConstraints(waiting, cluster, args).of("DoNotSchedule");
      if (typeof hard === "string") return true; // the constraints cannot be parsed: when in doubt, it may help
      return event.resource === "Node" ? nodeHelps(hard, event) : podHelps(hard, waiting, event);
    },
  );
}

function podHelps(hard: Hard, waiting: PodInfo, { before, after }: ObjectChange<Pod>): boolean {
  const states = [before, after].filter((pod) => pod !== undefined);
  if (!states.every((pod) => isRelevant(waiting, pod))) return false;
  if (before !== undefined && after !== undefined) return updateHelps(hard, waiting, { before, after });
  return states.some(({ metadata }) =>
    hard.some(({ selection }) => matchesLabels(selection, metadata.labels)),
  );
}

function updateHelps(hard: Hard, waiting: PodInfo, { before, after }: Required<ObjectChange<Pod>>): boolean {
  const isItself = after.metadata.uid === waiting.pod.metadata.uid;
  const toleratesMore = !deepEqual(before.spec.tolerations, after.spec.tolerations, { emptyIsAbsent: true });
  if (isItself && toleratesMore && hard.some(({ honorsTaints }) => honorsTaints)) return true;
  return hard.some(
    ({ selection }) =>
      matchesLabels(selection, before.metadata.labels) !== matchesLabels(selection, after.metadata.labels),
  );
}

/** The waiting Pod itself, or a Pod of its namespace that is assigned or nominated to a node. */
function isRelevant(waiting: PodInfo, { metadata, spec, status }: Pod): boolean {
  if (metadata.uid === waiting.pod.metadata.uid) return true;
  const node = spec.nodeName ?? status?.nominatedNodeName ?? "";
  return node !== "" && metadata.namespace === waiting.namespace;
}

function nodeHelps(hard: Hard, { before, after }: ObjectChange<Node>): boolean {
  const counts = (node: Node | undefined) => node !== undefined && hasAllKeys(node.metadata.labels, hard);
  if (counts(before) !== counts(after)) return true;
  if (!counts(after)) return false;
  const domainsOf = (node: Node | undefined) =>
    hard.map(({ topologyKey }) => labelOf(node?.metadata.labels, topologyKey));
  return !deepEqual([domainsOf(before), before?.spec?.taints], [domainsOf(after), after?.spec?.taints], {
    emptyIsAbsent: true,
  });
}

function hasNoConstraints({ pod }: PodInfo): boolean {
  return (pod.spec.topologySpreadConstraints ?? []).length === 0;
}

/** Whether a Service begins or ceases to select the Pod, or its selector changed. */
function selectionChanged(waiting: PodInfo, { before, after }: ObjectChange<Service>): boolean {
  if (!hasNoConstraints(waiting) || deepEqual(before?.spec.selector, after?.spec.selector)) return false;
  return [before, after].some((service) => service !== undefined && selects(service, waiting));
}

function selects({ metadata, spec }: Service, { namespace, labels }: PodInfo): boolean {
  const wanted = Object.entries(spec.selector ?? {});
  return (
    metadata.namespace === namespace &&
    wanted.length > 0 &&
    wanted.every(([key, value]) => labelOf(labels, key) === value)
  );
}

type ControllerEvent = Extract<
  ClusterEvent,
  { readonly resource: "ReplicaSet" | "StatefulSet" | "ReplicationController" }
>;

function isControllerEvent(event: ClusterEvent): event is ControllerEvent {
  return ["ReplicaSet", "StatefulSet", "ReplicationController"].includes(event.resource);
}

/** Whether the Pod's own controller was added or deleted, or its selector changed. */
function controllerChanged(waiting: PodInfo, { resource, before, after }: ControllerEvent): boolean {
  const controller = controllerOf(waiting.pod);
  const { namespace, name } = (after ?? before)?.metadata ?? {};
  if (controller?.kind !== resource || controller.name !== name || namespace !== waiting.namespace)
    return false;
  const selectorOf = (object: SelectingController | undefined) => object?.spec?.selector;
  return hasNoConstraints(waiting) && !deepEqual(selectorOf(before), selectorOf(after));
}
