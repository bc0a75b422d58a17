import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { labelOf } from "../snapshot/reading.ts";
import { quotient } from "../arithmetic.ts";
import type { Scorer } from "../plugin.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { countMatching, hasAllKeys, inclusionFor } from "./counting.ts";
import type { SpreadConstraint } from "./spread-constraint.ts";

const hostnameKey = "kubernetes.io/hostname";

/** What a spread of soft constraints is worked out from. */
export interface SoftSpread {
  readonly constraints: readonly SpreadConstraint[];
  readonly needsAllKeys: boolean;
  readonly pod: PodInfo;
  readonly snapshot: Snapshot;
}

/** What is known about the domains of the nodes to be scored. */
export interface SpreadState {
  /** Nodes that lack a key they would need: the worst there are. */
  readonly ignored: ReadonlySet<NodeInfo>;
  /** Matching Pods per domain, for each constraint; empty for hosts, which are counted one by one. */
  readonly counts: readonly ReadonlyMap<string, number>[];
  /** How much each constraint matters: more, the more domains it has. */
  readonly weights: readonly number[];
}

/** Gets ready to score nodes by how many Pods their domains have already. */
export function spreadScorer(spread: SoftSpread, feasible: readonly NodeInfo[]): Scorer {
  const state = spreadState(spread, feasible);
  return {
    kind: "scores",
    score: (node) => (state.ignored.has(node) ? 0 : crowding(node, spread, state)),
    normalize: (raw) => normalize(raw, feasible, state.ignored),
  };
}

/** Surveys the domains of the feasible nodes; Pods on other nodes of these domains count as well. */
export function spreadState(spread: SoftSpread, feasible: readonly NodeInfo[]): SpreadState {
  const { constraints, needsAllKeys, pod, snapshot } = spread;
  const isOutside = ({ labels }: NodeInfo): boolean => needsAllKeys && !hasAllKeys(labels, constraints);
  const ignored = new Set(feasible.filter(isOutside));
  const candidates = feasible.filter((node) => !ignored.has(node));
  const counted = snapshot.nodes.filter((node) => !isOutside(node));
  const isIncluded = inclusionFor(pod);

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

/** Nodes without the key, where that is borne with, are together in a domain of their own. */
function domainOf(node: NodeInfo, topologyKey: string): string {
  return labelOf(node.labels, topologyKey) ?? "";
}

/** How crowded a node's domains are: every matching Pod counts with the weight of its constraint. */
function crowding(
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

/** The emptier, the higher: the best node has 100. */
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
