import type { Node, Pod, Service } from "../../../api/generated/core-v1.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import { matchesLabels } from "../../../api/labels/label-selector.ts";
import { controllerOf } from "../../../api/owner-references.ts";
import type { PodInfo } from "../../../decisions/placement/snapshot/pod-info.ts";
import { labelOf } from "../../../decisions/placement/snapshot/reading.ts";
import { hasAllKeys } from "../../../decisions/placement/pod-topology-spread/counting.ts";
import {
  effectiveConstraints,
  type PodTopologySpreadArgs,
} from "../../../decisions/placement/pod-topology-spread/effective-constraints.ts";
import type { SpreadConstraint } from "../../../decisions/placement/pod-topology-spread/spread-constraint.ts";
import type { ObjectChange, ClusterEvent, SelectingController } from "../cluster-event.ts";
import { hints, type QueueingHints } from "./queueing-hints.ts";

type Hard = readonly SpreadConstraint[];

/**
 * What may bring a Pod within its skew: Pods it is spread from, nodes of its domains, and, for defaults, whatever says
 * which Pods these are. Only hard constraints can have been in the way.
 */
export function podTopologySpreadHints(args: PodTopologySpreadArgs): QueueingHints {
  return hints(
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
      "Owner/Add",
      "Owner/Update",
      "Owner/Delete",
    ],
    (waiting, event, snapshot) => {
      if (event.resource === "Service") return isInvolved(waiting, event);
      if (isOwnerEvent(event)) return isOwned(waiting, event);
      const hard = effectiveConstraints(waiting, snapshot, args).of("DoNotSchedule");
      if (typeof hard === "string") return true; // unreadable: nobody knows, so it may
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

/** The Pod itself, or one of its namespace that has a place or is promised one. */
function isRelevant(waiting: PodInfo, { metadata, spec, status }: Pod): boolean {
  if (metadata.uid === waiting.pod.metadata.uid) return true;
  const place = spec.nodeName ?? status?.nominatedNodeName ?? "";
  return place !== "" && metadata.namespace === waiting.namespace;
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

/** Whether a Service begins or ceases to select the Pod, or selects it differently. */
function isInvolved(waiting: PodInfo, { before, after }: ObjectChange<Service>): boolean {
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

type OwnerEvent = Extract<
  ClusterEvent,
  { readonly resource: "ReplicaSet" | "StatefulSet" | "ReplicationController" }
>;

function isOwnerEvent(event: ClusterEvent): event is OwnerEvent {
  return ["ReplicaSet", "StatefulSet", "ReplicationController"].includes(event.resource);
}

/** Whether the Pod's own controller came, went, or now selects differently. */
function isOwned(waiting: PodInfo, { resource, before, after }: OwnerEvent): boolean {
  const controller = controllerOf(waiting.pod);
  const { namespace, name } = (after ?? before)?.metadata ?? {};
  if (controller?.kind !== resource || controller.name !== name || namespace !== waiting.namespace)
    return false;
  const selectorOf = (owner: SelectingController | undefined) => owner?.spec?.selector;
  return hasNoConstraints(waiting) && !deepEqual(selectorOf(before), selectorOf(after));
}
