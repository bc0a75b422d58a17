import type { PodInfo } from "../snapshot/pod-info.ts";
import { labelOf } from "../../../src/decisions/placement/objects/reading.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { countMatching, hasAllKeys, nodeInclusionFor } from "./counting.ts";
import type { SpreadConstraint } from "./spread-constraint.ts";

/** The number of matching Pods in every domain of a constraint, 0 included. */
export type DomainCounts = ReadonlyMap<string, number>;

/**
 * Counts, for each hard constraint, the Pods in every domain of the whole cluster. A node that lacks the key of one
 * constraint counts for none (scheduler.md 8.7).
 */
export function countDomains(
  constraints: readonly SpreadConstraint[],
  pod: PodInfo,
  snapshot: Snapshot,
): readonly DomainCounts[] {
  const isIncluded = nodeInclusionFor(pod);
  const counting = constraints.map((constraint) => ({ constraint, counts: new Map<string, number>() }));
  for (const node of snapshot.nodes) {
    if (!hasAllKeys(node.labels, constraints)) continue;
    for (const { constraint, counts } of counting) {
      if (!isIncluded(node, constraint)) continue;
      const domain = labelOf(node.labels, constraint.topologyKey) ?? "";
      const before = counts.get(domain);
      const count = countMatching(node, constraint.selection, pod.namespace);
      // Most nodes of a large cluster have no matching Pod, and their domain is in the map already.
      if (count > 0 || before === undefined) counts.set(domain, (before ?? 0) + count);
    }
  }
  return counting.map(({ counts }) => counts);
}

/** The number of matching Pods in the emptiest domain, or 0 while there are fewer domains than `minDomains`. */
export function globalMinimum(counts: DomainCounts, minDomains: number): number {
  if (counts.size === 0 || counts.size < minDomains) return 0;
  let minimum = Infinity;
  for (const count of counts.values()) minimum = Math.min(minimum, count);
  return minimum;
}
