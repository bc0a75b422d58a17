import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { labelOf } from "../../../src/decisions/placement/objects/reading.ts";
import { quotient } from "../../../src/decisions/placement/arithmetic.ts";
import type { Scorer } from "../plugin.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { countMatching, hasAllKeys, nodeInclusionFor } from "./counting.ts";
import type { SpreadConstraint } from "./spread-constraint.ts";

const hostnameKey = "kubernetes.io/hostname";

/** What soft constraints are scored with. */
export interface SoftSpread {
  readonly constraints: readonly SpreadConstraint[];
  readonly needsAllKeys: boolean;
  readonly pod: PodInfo;
  readonly snapshot: Snapshot;
}

/** The domains of the feasible nodes (upstream: preScoreState). */
export interface SpreadState {
  /** Nodes that lack a topology key: they score 0. */
  readonly ignored: ReadonlySet<NodeInfo>;
  /** Matching Pods per domain, for each constraint; empty for hostnames, which are counted node by node. */
  readonly counts: readonly ReadonlyMap<string, number>[];
  /** The weight of each constraint, which grows with its number of domains (upstream: topologyNormalizingWeight). */
  readonly weights: readonly number[];
}

/** Prepares to score nodes by the number of matching Pods in their domains. */
export function spreadScorer(spread: SoftSpread, feasible: readonly NodeInfo[]): Scorer {
  const state = spreadState(spread, feasible);
  return {
    kind: "scores",
    score: (node) => (state.ignored.has(node) ? 0 : weightedPodCount(node, spread, state)),
    normalize: (raw) => normalize(raw, feasible, state.ignored),
  };
}

/** Counts the Pods in the domains of the feasible nodes, including those on other nodes of these domains. */
export function spreadState(spread: SoftSpread, feasible: readonly NodeInfo[]): SpreadState {
  const { constraints, needsAllKeys, pod, snapshot } = spread;
  const isOutside = ({ labels }: NodeInfo): boolean => needsAllKeys && !hasAllKeys(labels, constraints);
  const ignored = new Set(feasible.filter(isOutside));
  const candidates = feasible.filter((node) => !ignored.has(node));
  const counted = snapshot.nodes.filter((node) => !isOutside(node));
  const isIncluded = nodeInclusionFor(pod);

  const counts = constraints.map((constraint) => {
    const { topologyKey, selection } = constraint;
    const perDomain = new Map<string, number>();
    if (topologyKey === hostnameKey) return perDomain;
    for (const node of candidates) perDomain.set(domainOf(node, topologyKey), 0);
    for (const node of counted) {
      const domain = domainOf(node, topologyKey);
      const before = perDomain.get(domain);
      if (before === undefined || !isIncluded(node, constraint)) continue;
      perDomain.set(domain, before + countMatching(node, selection, pod.namespace));
    }
    return perDomain;
  });
  const weights = constraints.map(({ topologyKey }, index) => {
    const domains = topologyKey === hostnameKey ? candidates.length : (counts[index]?.size ?? 0);
    return Math.log(domains + 2);
  });
  return { ignored, counts, weights };
}

/** Nodes without the key share a domain of their own, where the key is not demanded. */
function domainOf(node: NodeInfo, topologyKey: string): string {
  return labelOf(node.labels, topologyKey) ?? "";
}

/** The number of matching Pods in the domains of a node, weighted by constraint. */
function weightedPodCount(
  node: NodeInfo,
  { constraints, pod }: SoftSpread,
  { counts, weights }: SpreadState,
): number {
  let sum = 0;
  for (const [index, { topologyKey, selection, maxSkew }] of constraints.entries()) {
    const domain = labelOf(node.labels, topologyKey);
    if (domain === undefined) continue;
    const count =
      topologyKey === hostnameKey
        ? countMatching(node, selection, pod.namespace)
        : (counts[index]?.get(domain) ?? 0);
    sum += count * (weights[index] ?? 0) + (maxSkew - 1);
  }
  return Math.round(sum);
}

/** The fewer Pods, the higher the score; the best node has 100. */
function normalize(
  raw: readonly number[],
  nodes: readonly NodeInfo[],
  ignored: ReadonlySet<NodeInfo>,
): readonly number[] {
  const isIgnored = (index: number): boolean => {
    const node = nodes[index];
    return node === undefined || ignored.has(node);
  };
  const kept = raw.filter((_, index) => !isIgnored(index));
  const largest = kept.reduce((most, score) => Math.max(most, score), 0);
  const smallest = kept.reduce((least, score) => Math.min(least, score), Infinity);
  return raw.map((score, index) => {
    if (isIgnored(index)) return 0;
    return largest === 0 ? 100 : quotient(100 * (largest + smallest - score), largest);
  });
}
