import { type AffinityTerm, matchesTerm } from "../objects/affinity-term.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { labelOf } from "../objects/reading.ts";
import { fits, unresolvable, unschedulable, type Verdict } from "../plugin.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import { relevantNodes, type TopologySums, topologySums } from "./topology-sums.ts";

const affinityMismatch = unresolvable("node(s) didn't match pod affinity rules");
const antiAffinityMatch = unschedulable("node(s) didn't match pod anti-affinity rules");
const existingAntiAffinityMatch = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

/** The existing Pods that required terms match, counted by topology domain. */
interface MatchCounts {
  /** Pods that match all affinity terms of the Pod. */
  readonly affinity: TopologySums;
  /** Pods that match an anti-affinity term of the Pod. */
  readonly antiAffinity: TopologySums;
  /** Pods with an anti-affinity term that matches the Pod. */
  readonly existingAntiAffinity: TopologySums;
}

/** Rejects nodes by the required terms of the Pod and of existing Pods; `undefined` when there are none. */
export function affinityFilter(
  pod: PodInfo,
  cluster: ClusterView,
): ((node: NodeInfo) => Verdict) | undefined {
  const counts = countMatches(pod, cluster);
  const affinity = pod.affinity.required;
  const antiAffinity = pod.antiAffinity.required;
  const existingKeys = counts.existingAntiAffinity.keys();
  if (existingKeys.length === 0 && affinity.length + antiAffinity.length === 0) return undefined;

  // upstream: the first Pod of a group that has affinity to itself may be placed although no Pod matches yet
  const ownLabels = cluster.namespaceLabels(pod.namespace);
  const isFirst =
    counts.affinity.keys().length === 0 && affinity.every((term) => matchesTerm(term, pod, ownLabels));
  return (node) => {
    const hasKeys = affinity.every(({ topologyKey }) => labelOf(node.labels, topologyKey) !== undefined);
    const isNear = affinity.every(({ topologyKey }) => counts.affinity.at(node, topologyKey) > 0);
    if (!hasKeys || !(isNear || isFirst)) return affinityMismatch;
    if (antiAffinity.some(({ topologyKey }) => counts.antiAffinity.at(node, topologyKey) > 0))
      return antiAffinityMatch;
    return existingKeys.some((key) => counts.existingAntiAffinity.at(node, key) > 0)
      ? existingAntiAffinityMatch
      : fits;
  };
}

function countMatches(pod: PodInfo, cluster: ClusterView): MatchCounts {
  const affinity = topologySums();
  const antiAffinity = topologySums();
  const existingAntiAffinity = topologySums();
  const ownLabels = cluster.namespaceLabels(pod.namespace);
  for (const [node, pods] of relevantNodes(pod, cluster)) {
    if (pods.length === 0) continue;
    const count = (sums: TopologySums, terms: readonly AffinityTerm[]): void => {
      for (const { topologyKey } of terms) sums.add(node, topologyKey, 1);
    };
    for (const existing of pods) {
      const labels = cluster.namespaceLabels(existing.namespace);
      const matchesExisting = (term: AffinityTerm): boolean => matchesTerm(term, existing, labels);
      if (pod.affinity.required.every(matchesExisting)) count(affinity, pod.affinity.required);
      count(antiAffinity, pod.antiAffinity.required.filter(matchesExisting));
      count(
        existingAntiAffinity,
        existing.antiAffinity.required.filter((term) => matchesTerm(term, pod, ownLabels)),
      );
    }
  }
  return { affinity, antiAffinity, existingAntiAffinity };
}
