import { type AffinityTerm, matchesTerm } from "../snapshot/affinity-term.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import type { Scorer } from "../plugin.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { neighboursOf } from "./neighbours.ts";
import { topologySums } from "./topology-sums.ts";

/** What an operator may want to be different. */
export interface InterPodAffinityArgs {
  /** How much it counts that a Pod already there requires the new one near; 1 unless said. */
  readonly hardPodAffinityWeight?: number;
  /** Leaves nodes unscored for Pods without preferences of their own. */
  readonly ignorePreferredTermsOfExistingPods?: boolean;
}

/** Scores nodes by whom the Pod would rather have near or far, and who it; `undefined` when it is all the same. */
export function affinityScorer(
  pod: PodInfo,
  snapshot: Snapshot,
  { hardPodAffinityWeight = 1 }: InterPodAffinityArgs,
): Scorer | undefined {
  const sums = topologySums();
  const ownLabels = snapshot.namespaceLabels(pod.namespace);
  const neighboursOn = neighboursOf(pod);
  for (const node of snapshot.nodes) {
    const neighbours = neighboursOn(node);
    if (neighbours.length === 0) continue;
    const add = (terms: readonly AffinityTerm[], factorOf: (term: AffinityTerm) => number): void => {
      for (const term of terms) sums.add(node, term.topologyKey, factorOf(term));
    };
    for (const neighbour of neighbours) {
      const labels = snapshot.namespaceLabels(neighbour.namespace);
      const ofPod = (terms: readonly AffinityTerm[]) =>
        terms.filter((term) => matchesTerm(term, neighbour, labels));
      const ofNeighbour = (terms: readonly AffinityTerm[]) =>
        terms.filter((term) => matchesTerm(term, pod, ownLabels));
      add(ofPod(pod.affinity.preferred), ({ weight }) => weight);
      add(ofPod(pod.antiAffinity.preferred), ({ weight }) => -weight);
      if (hardPodAffinityWeight > 0) {
        add(ofNeighbour(neighbour.affinity.required), () => hardPodAffinityWeight);
      }
      add(ofNeighbour(neighbour.affinity.preferred), ({ weight }) => weight);
      add(ofNeighbour(neighbour.antiAffinity.preferred), ({ weight }) => -weight);
    }
  }
  const keys = sums.keys();
  if (keys.length === 0) return undefined;
  const score = (node: NodeInfo): number => keys.reduce((sum, key) => sum + sums.at(node, key), 0);
  return { kind: "scores", score, normalize };
}

/** Spreads the scores over 0 to 100; where all are equal, none is better. */
function normalize(raw: readonly number[]): readonly number[] {
  const most = raw.reduce((a, b) => Math.max(a, b), -Infinity);
  const least = raw.reduce((a, b) => Math.min(a, b), Infinity);
  return raw.map((score) => (most === least ? 0 : Math.trunc(100 * ((score - least) / (most - least)))));
}
