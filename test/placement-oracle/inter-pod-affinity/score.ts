import { type AffinityTerm, matchesTerm } from "../../../src/decisions/placement/objects/affinity-term.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import type { Scorer } from "../plugin.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { InterPodAffinityArgs } from "../../../src/decisions/placement/inter-pod-affinity/args.ts";
import { relevantPodsFor, topologySums } from "./topology-sums.ts";

/** Scores nodes by the preferred terms of the Pod and the terms of existing Pods; `undefined` when none matches. */
export function affinityScorer(
  pod: PodInfo,
  snapshot: Snapshot,
  { hardPodAffinityWeight = 1 }: InterPodAffinityArgs,
): Scorer | undefined {
  const sums = topologySums();
  const ownLabels = snapshot.namespaceLabels(pod.namespace);
  const relevantPods = relevantPodsFor(pod);
  for (const node of snapshot.nodes) {
    const pods = relevantPods(node);
    if (pods.length === 0) continue;
    const add = (terms: readonly AffinityTerm[], weightOf: (term: AffinityTerm) => number): void => {
      for (const term of terms) sums.add(node, term.topologyKey, weightOf(term));
    };
    for (const existing of pods) {
      const labels = snapshot.namespaceLabels(existing.namespace);
      const matchingExisting = (terms: readonly AffinityTerm[]) =>
        terms.filter((term) => matchesTerm(term, existing, labels));
      const matchingPod = (terms: readonly AffinityTerm[]) =>
        terms.filter((term) => matchesTerm(term, pod, ownLabels));
      add(matchingExisting(pod.affinity.preferred), ({ weight }) => weight);
      add(matchingExisting(pod.antiAffinity.preferred), ({ weight }) => -weight);
      if (hardPodAffinityWeight > 0) {
        add(matchingPod(existing.affinity.required), () => hardPodAffinityWeight);
      }
      add(matchingPod(existing.affinity.preferred), ({ weight }) => weight);
      add(matchingPod(existing.antiAffinity.preferred), ({ weight }) => -weight);
    }
  }
  const keys = sums.keys();
  if (keys.length === 0) return undefined;
  const score = (node: NodeInfo): number => keys.reduce((sum, key) => sum + sums.at(node, key), 0);
  return { kind: "scores", score, normalize };
}

/** Spreads the scores over 0 to 100; all are 0 when they are equal. */
function normalize(raw: readonly number[]): readonly number[] {
  const most = raw.reduce((a, b) => Math.max(a, b), -Infinity);
  const least = raw.reduce((a, b) => Math.min(a, b), Infinity);
  return raw.map((score) => (most === least ? 0 : Math.trunc(100 * ((score - least) / (most - least)))));
}
