import { type Labels, type LabelSelection, matchesLabels } from "../../../src/api/labels/label-selector.ts";
import { requiredNodeAffinity } from "../snapshot/node-selector.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { labelOf } from "../../../src/decisions/placement/objects/reading.ts";
import { findUntoleratedTaint, tolerationsOf } from "../snapshot/toleration.ts";
import type { SpreadConstraint } from "./spread-constraint.ts";

/**
 * The number of Pods of a namespace on a node that a selection matches, without terminating ones. A selection without
 * requirements counts none, although it would match any, as upstream.
 */
export function countMatching(node: NodeInfo, selection: LabelSelection, namespace: string): number {
  if (selection.selects === "nothing" || selection.requirements.length === 0) return 0;
  let count = 0;
  for (const pod of node.pods) {
    if (pod.namespace !== namespace || pod.isTerminating) continue;
    if (matchesLabels(selection, pod.labels)) count++;
  }
  return count;
}

/** Whether labels have the topology key of every constraint. */
export function hasAllKeys(labels: Labels, constraints: readonly SpreadConstraint[]): boolean {
  for (const { topologyKey } of constraints) if (labelOf(labels, topologyKey) === undefined) return false;
  return true;
}

/** Whether a node counts for a constraint, by the node inclusion policies of the constraint. */
export function nodeInclusionFor(pod: PodInfo): (node: NodeInfo, constraint: SpreadConstraint) => boolean {
  const matchesAffinity = requiredNodeAffinity(pod);
  const tolerations = tolerationsOf(pod);
  return (node, { honorsAffinity, honorsTaints }) =>
    (!honorsAffinity || matchesAffinity(node)) &&
    (!honorsTaints || findUntoleratedTaint(node.taints, tolerations) === undefined);
}
