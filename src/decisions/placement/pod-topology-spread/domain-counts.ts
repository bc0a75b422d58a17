import type { PodInfo } from "../snapshot/pod-info.ts";
import { labelOf } from "../snapshot/reading.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { countMatching, hasAllKeys, inclusionFor } from "./counting.ts";
import type { SpreadConstraint } from "./spread-constraint.ts";

/** How many matching Pods every domain of a constraint has; one without Pods has 0. */
export type DomainCounts = ReadonlyMap<string, number>;

/**
 * Counts, for each hard constraint, the Pods in every domain of the whole cluster. A node that lacks the key of one
 * constraint takes part in none (scheduler.md 8.7).
 */
export function countDomains(
  constraints: readonly SpreadConstraint[],
  pod: PodInfo,
  snapshot: Snapshot,
): readonly DomainCounts[] {
  const isIncluded = inclusionFor(pod);
  const counting = constraints.map((constraint) => ({ constraint, counts: new Map<string, number>() }));
  for (const node of snapshot.nodes) {
    if (!hasAllKeys(node.labels, constraints)) continue;
    for (const { constraint, counts } of counting) {
      if (!isIncluded(node, constraint)) continue;
      const domain = labelOf(node.labels, constraint.topologyKey) ?? "";
      const before = counts.get(domain);
      const count = countMatching(node, constraint.selection, pod.namespace);
      // Most nodes of a large cluster have none of them, and their domain is known.
      if (count > 0 || before === undefined) counts.set(domain, (before ?? 0) + count);
    }
  }
  return counting.map(({ counts }) => counts);
}

/** What domains are measured against: the emptiest of them, or 0 while there are fewer than there should be. */
export function globalMinimum(counts: DomainCounts, minDomains: number): number {
  if (counts.size === 0 || counts.size < minDomains) return 0;
  let minimum = Infinity;
  for (const count of counts.values()) minimum = Math.min(minimum, count);
  return minimum;
}
