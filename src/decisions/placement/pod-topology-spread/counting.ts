import type { Labels } from "../../../api/labels/label-selector.ts";
import { isRestricted, requiredNodeAffinity } from "../objects/node-selector.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { perTemplate } from "../view/placement-template.ts";
import { labelOf } from "../objects/reading.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import { findUntoleratedTaint, tolerationsOf } from "../objects/toleration.ts";
import type { SpreadConstraint } from "../objects/spread-constraint.ts";

/** Whether labels have the topology key of every constraint. */
export function hasAllKeys(labels: Labels, constraints: readonly SpreadConstraint[]): boolean {
  for (const { topologyKey } of constraints) if (labelOf(labels, topologyKey) === undefined) return false;
  return true;
}

/** By slot of the node: 1 when a node counts for a constraint. */
export type NodeMask = Uint8Array;

/** The nodes that count for a constraint by its node inclusion policies; `undefined` when all do. */
export function includedNodes(
  { honorsAffinity, honorsTaints }: SpreadConstraint,
  pod: PodInfo,
  cluster: ClusterView,
): NodeMask | undefined {
  const policies = inclusionPolicies(pod, cluster);
  const byAffinity = honorsAffinity && policies.isRestricted;
  if (!byAffinity && !honorsTaints) return undefined;
  if (!honorsTaints) return policies.affinity(cluster);
  return byAffinity ? policies.both(cluster) : policies.taints(cluster);
}

/** The masks of a Pod's template, by the policies that are honoured. */
const inclusionPolicies = perTemplate((pod) => {
  const matchesAffinity = requiredNodeAffinity(pod);
  const tolerations = tolerationsOf(pod);
  const isTolerated = ({ taints }: NodeInfo): boolean =>
    findUntoleratedTaint(taints, tolerations) === undefined;
  return {
    isRestricted: isRestricted(pod),
    affinity: maskOf(matchesAffinity),
    taints: maskOf(isTolerated),
    both: maskOf((node) => matchesAffinity(node) && isTolerated(node)),
  };
});

/** A mask that is computed again when labels or taints of nodes have changed. */
function maskOf(includes: (node: NodeInfo) => boolean): (cluster: ClusterView) => NodeMask {
  let made: { readonly version: number; readonly mask: NodeMask } | undefined;
  return ({ columns, nodes }) => {
    if (made?.version !== columns.nodesVersion) {
      const mask = new Uint8Array(columns.capacity);
      for (const node of nodes) mask[node.slot] = Number(includes(node));
      made = { version: columns.nodesVersion, mask };
    }
    return made.mask;
  };
}
