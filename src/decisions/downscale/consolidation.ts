import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isActive, mirrorAnnotation } from "../../api/pod-state.ts";
import { unschedulableTaint } from "../../api/well-known.ts";
import { nodeOf } from "./co-location.ts";
import type { NodeLoad } from "./facts.ts";
import { podsPerStep, type Steps } from "./steps.ts";

/** The taints of nodes that will be empty soon: cordoned ones, and those that an autoscaler has chosen. */
const leavingTaints: ReadonlySet<string> = new Set([
  unschedulableTaint,
  "ToBeDeletedByClusterAutoscaler",
  "DeletionCandidateOfClusterAutoscaler",
  "karpenter.sh/disrupted",
]);

/** Counts what stands on every node, and answers for any Pod what stands on its own. No Pod may be given twice. */
export function* nodeLoadsInSteps(
  pods: Iterable<Pod>,
  nodes: readonly Node[],
): Steps<(pod: Pod) => NodeLoad> {
  const counts = new Map<string, number>();
  let seen = 0;
  for (const pod of pods) {
    if (keepsNode(pod)) counts.set(nodeOf(pod), (counts.get(nodeOf(pod)) ?? 0) + 1);
    if (++seen % podsPerStep === 0) yield;
  }
  const leaving = new Set(nodes.filter(isLeaving).map(({ metadata }) => metadata.name));
  return (pod) => {
    const node = nodeOf(pod);
    return { node, pods: counts.get(node) ?? 0, isLeaving: leaving.has(node) };
  };
}

/** Whether a Pod keeps its node in use: those that every node has do not. */
function keepsNode(pod: Pod): boolean {
  const isMirror = Object.hasOwn(pod.metadata.annotations ?? {}, mirrorAnnotation);
  return isActive(pod) && !isMirror && controllerOf(pod)?.kind !== "DaemonSet";
}

function isLeaving({ spec }: Node): boolean {
  return spec?.unschedulable === true || (spec?.taints ?? []).some(({ key }) => leavingTaints.has(key));
}
