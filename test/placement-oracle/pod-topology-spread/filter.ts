import { matchesLabels } from "../../../src/api/labels/label-selector.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { labelOf } from "../../../src/decisions/placement/objects/reading.ts";
import { fits, type PlainRejection, unresolvable, unschedulable, type Verdict } from "../plugin.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { SpreadConstraint } from "./spread-constraint.ts";
import { countMatching, hasAllKeys, nodeInclusionFor } from "./counting.ts";

const missingLabel = "node(s) didn't match pod topology spread constraints (missing required label)";
const skewExceeded = "node(s) didn't match pod topology spread constraints";

/** A hard constraint with the counts of the cluster. */
interface CountedConstraint {
  readonly constraint: SpreadConstraint;
  readonly counts: DomainCounts;
  readonly minimum: number;
  /** 1 when the constraint counts the Pod itself, else 0. */
  readonly self: number;
}

/** Rejects nodes in whose domain the Pod would exceed `maxSkew` of a hard constraint. */
export function spreadFilter(
  constraints: readonly SpreadConstraint[],
  pod: PodInfo,
  snapshot: Snapshot,
): (node: NodeInfo) => Verdict {
  const countsOfAll = countDomains(constraints, pod, snapshot);
  const counted = constraints.map((constraint, index): CountedConstraint => {
    const counts = countsOfAll[index] ?? new Map();
    const minimum = globalMinimum(counts, constraint.minDomains);
    return { constraint, counts, minimum, self: Number(matchesLabels(constraint.selection, pod.labels)) };
  });
  return (node) => {
    for (const each of counted) {
      const refusal = checkConstraint(node, each);
      if (refusal !== undefined) return refusal;
    }
    return fits;
  };
}

function checkConstraint(
  node: NodeInfo,
  { constraint, counts, minimum, self }: CountedConstraint,
): PlainRejection | undefined {
  const { topologyKey, maxSkew } = constraint;
  const domain = labelOf(node.labels, topologyKey);
  if (domain === undefined) return unresolvable(missingLabel, `no label ${topologyKey}`);
  // A domain without an included node has no Pods that count.
  const count = counts.get(domain) ?? 0;
  const skew = count + self - minimum;
  if (skew <= maxSkew) return undefined;
  const label = `${topologyKey}=${domain}`;
  return unschedulable(
    skewExceeded,
    `skew of ${label} would be ${skew}, at most ${maxSkew}: ${count} there, ${minimum} in the emptiest`,
  );
}

/** The number of matching Pods in every domain of a constraint, 0 included. */
type DomainCounts = ReadonlyMap<string, number>;

/**
 * Counts, for each hard constraint, the Pods in every domain of the whole cluster. A node that lacks the key of one
 * constraint counts for none, as upstream.
 */
function countDomains(
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
function globalMinimum(counts: DomainCounts, minDomains: number): number {
  if (counts.size === 0 || counts.size < minDomains) return 0;
  let minimum = Infinity;
  for (const count of counts.values()) minimum = Math.min(minimum, count);
  return minimum;
}
