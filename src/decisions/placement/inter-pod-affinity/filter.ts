import { type AffinityTerm, matchesTerm } from "../snapshot/affinity-term.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { labelOf } from "../snapshot/reading.ts";
import { fits, unresolvable, unschedulable, type Verdict } from "../plugin.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { neighboursOf } from "./neighbours.ts";
import { type TopologySums, topologySums } from "./topology-sums.ts";

const notNear = unresolvable("node(s) didn't match pod affinity rules");
const tooNear = unschedulable("node(s) didn't match pod anti-affinity rules");
const unwelcome = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

/** Where Pods are that matter to the Pod, and to whom it matters. */
interface Neighbours {
  /** Pods that all its affinity terms mean together. */
  readonly near: TopologySums;
  /** Pods that one of its anti-affinity terms means. */
  readonly far: TopologySums;
  /** Pods that have an anti-affinity term which means it. */
  readonly hostile: TopologySums;
}

/** Refuses nodes by what the Pod requires of its neighbours and they of it; `undefined` when nobody requires anything. */
export function affinityFilter(pod: PodInfo, snapshot: Snapshot): ((node: NodeInfo) => Verdict) | undefined {
  const { near, far, hostile } = surveyNeighbours(pod, snapshot);
  const wanted = pod.affinity.required;
  const unwanted = pod.antiAffinity.required;
  const hostileKeys = hostile.keys();
  if (hostileKeys.length === 0 && wanted.length + unwanted.length === 0) return undefined;

  // Somebody has to be first: a Pod that looks for its own kind may start where none is yet.
  const ownLabels = snapshot.namespaceLabels(pod.namespace);
  const isFirst = near.keys().length === 0 && wanted.every((term) => matchesTerm(term, pod, ownLabels));
  return (node) => {
    const hasKeys = wanted.every(({ topologyKey }) => labelOf(node.labels, topologyKey) !== undefined);
    const isNear = wanted.every(({ topologyKey }) => near.at(node, topologyKey) > 0);
    if (!hasKeys || !(isNear || isFirst)) return notNear;
    if (unwanted.some(({ topologyKey }) => far.at(node, topologyKey) > 0)) return tooNear;
    return hostileKeys.some((key) => hostile.at(node, key) > 0) ? unwelcome : fits;
  };
}

function surveyNeighbours(pod: PodInfo, snapshot: Snapshot): Neighbours {
  const near = topologySums();
  const far = topologySums();
  const hostile = topologySums();
  const ownLabels = snapshot.namespaceLabels(pod.namespace);
  const neighboursOn = neighboursOf(pod);
  for (const node of snapshot.nodes) {
    const neighbours = neighboursOn(node);
    if (neighbours.length === 0) continue;
    const mark = (sums: TopologySums, terms: readonly AffinityTerm[]): void => {
      for (const { topologyKey } of terms) sums.add(node, topologyKey, 1);
    };
    for (const neighbour of neighbours) {
      const labels = snapshot.namespaceLabels(neighbour.namespace);
      const meansNeighbour = (term: AffinityTerm): boolean => matchesTerm(term, neighbour, labels);
      if (pod.affinity.required.every(meansNeighbour)) mark(near, pod.affinity.required);
      mark(far, pod.antiAffinity.required.filter(meansNeighbour));
      mark(
        hostile,
        neighbour.antiAffinity.required.filter((term) => matchesTerm(term, pod, ownLabels)),
      );
    }
  }
  return { near, far, hostile };
}
