import { deepEqual } from "../../api/deep-equal.ts";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { resourceAmount } from "../../decisions/placement/objects/amounts.ts";
import { podInfo } from "../../decisions/placement/objects/pod-info.ts";
import type { NodeAction, PodAction } from "../../decisions/placement/cluster-event.ts";

const emptyAsAbsent = { emptyIsAbsent: true };

/** The actions of an update of a Pod (upstream: PodSchedulingPropertiesChange); `Update` when none is specific. */
export function podUpdateActions(before: Pod, after: Pod): readonly PodAction[] {
  const actions: PodAction[] = [];
  if (!deepEqual(before.metadata.labels, after.metadata.labels, emptyAsAbsent))
    actions.push("UpdatePodLabel");
  if (requestsLess(before, after)) actions.push("UpdatePodScaleDown");
  if (gatesOf(before) > 0 && gatesOf(after) === 0) actions.push("UpdatePodSchedulingGatesEliminated");
  // Tolerations can only be added to a Pod.
  if (tolerationsOf(before) !== tolerationsOf(after)) actions.push("UpdatePodToleration");
  return actions.length === 0 ? ["Update"] : actions;
}

/** The actions of an update of a node (upstream: NodeSchedulingPropertiesChange); none for heartbeats. */
export function nodeUpdateActions(before: Node, after: Node): readonly NodeAction[] {
  const actions: NodeAction[] = [];
  const differ = (read: (node: Node) => unknown) => !deepEqual(read(before), read(after), emptyAsAbsent);
  if (differ(({ status }) => status?.allocatable)) actions.push("UpdateNodeAllocatable");
  if (differ(({ metadata }) => metadata.labels)) actions.push("UpdateNodeLabel");
  const isUncordoned = before.spec?.unschedulable === true && after.spec?.unschedulable !== true;
  if (isUncordoned || differ(({ spec }) => spec?.taints)) actions.push("UpdateNodeTaint");
  if (differ(conditionsOf)) actions.push("UpdateNodeCondition");
  if (differ(({ metadata }) => metadata.annotations)) actions.push("UpdateNodeAnnotation");
  return actions;
}

function requestsLess(before: Pod, after: Pod): boolean {
  if (before.spec === after.spec && before.status === after.status) return false;
  const [old, now] = [podInfo(before).request, podInfo(after).request];
  return [...old].some(([name, amount]) => resourceAmount(now, name) < amount);
}

function gatesOf({ spec }: Pod): number {
  return spec.schedulingGates?.length ?? 0;
}

function tolerationsOf({ spec }: Pod): number {
  return spec.tolerations?.length ?? 0;
}

/** The status of each condition; heartbeats change only their times. */
function conditionsOf({ status }: Node): unknown {
  return Object.fromEntries(
    (status?.conditions ?? []).map((condition) => [condition.type, condition.status]),
  );
}
