import { matchesLabels } from "../../../api/labels/label-selector.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { labelOf } from "../snapshot/reading.ts";
import { fits, type Refusal, unresolvable, unschedulable, type Verdict } from "../plugin.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { countDomains, type DomainCounts, globalMinimum } from "./domain-counts.ts";
import type { SpreadConstraint } from "./spread-constraint.ts";

const missingLabel = "node(s) didn't match pod topology spread constraints (missing required label)";
const tooUneven = "node(s) didn't match pod topology spread constraints";

/** A hard constraint, and what the cluster looks like through it. */
interface Measured {
  readonly constraint: SpreadConstraint;
  readonly counts: DomainCounts;
  readonly minimum: number;
  /** 1 when the Pod counts among those it is spread from, else 0. */
  readonly self: number;
}

/** Refuses nodes in whose domain the Pod would go beyond `maxSkew` of a hard constraint. */
export function spreadFilter(
  constraints: readonly SpreadConstraint[],
  pod: PodInfo,
  snapshot: Snapshot,
): (node: NodeInfo) => Verdict {
  const countsOfAll = countDomains(constraints, pod, snapshot);
  const measured = constraints.map((constraint, index): Measured => {
    const counts = countsOfAll[index] ?? new Map();
    const minimum = globalMinimum(counts, constraint.minDomains);
    return { constraint, counts, minimum, self: Number(matchesLabels(constraint.selection, pod.labels)) };
  });
  return (node) => {
    for (const each of measured) {
      const refusal = judge(node, each);
      if (refusal !== undefined) return refusal;
    }
    return fits;
  };
}

function judge(node: NodeInfo, { constraint, counts, minimum, self }: Measured): Refusal | undefined {
  const { topologyKey, maxSkew } = constraint;
  const domain = labelOf(node.labels, topologyKey);
  if (domain === undefined) return unresolvable(missingLabel, `no label ${topologyKey}`);
  // A domain that no counted node is in has no Pods that count.
  const count = counts.get(domain) ?? 0;
  const skew = count + self - minimum;
  if (skew <= maxSkew) return undefined;
  const place = `${topologyKey}=${domain}`;
  return unschedulable(
    tooUneven,
    `skew of ${place} would be ${skew}, at most ${maxSkew}: ${count} there, ${minimum} in the emptiest`,
  );
}
