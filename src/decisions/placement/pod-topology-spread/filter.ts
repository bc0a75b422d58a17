import { matchesLabels } from "../../../api/labels/label-selector.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { fits, type Refusal, rejects, unresolvable, type Verdict } from "../plugin.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { countDomains, type DomainCounts, globalMinimum } from "./domain-counts.ts";
import type { SpreadConstraint } from "./spread-constraint.ts";

const missingLabel = "node(s) didn't match pod topology spread constraints (missing required label)";
/** One list for all: where domains are hosts, each has a refusal of its own. */
const skewExceeded = ["node(s) didn't match pod topology spread constraints"];

/** Rejects nodes in whose domain the Pod would exceed `maxSkew` of a hard constraint. */
export function spreadFilter(
  constraints: readonly SpreadConstraint[],
  pod: PodInfo,
  snapshot: Snapshot,
): (node: NodeInfo) => Verdict {
  const counts = countDomains(constraints, pod, snapshot);
  const checks = constraints.flatMap((constraint, index) => {
    const counted = counts[index];
    return counted === undefined ? [] : [domainCheck(constraint, counted, pod)];
  });
  return ({ slot }) => {
    for (const check of checks) {
      const refusal = check(slot);
      if (refusal !== undefined) return refusal;
    }
    return fits;
  };
}

/** Decides by the domain of a node: all nodes of a domain get the same verdict. */
function domainCheck(
  constraint: SpreadConstraint,
  counts: DomainCounts,
  pod: PodInfo,
): (slot: number) => Refusal | undefined {
  const { topologyKey, maxSkew, selection, minDomains } = constraint;
  const { domainOf, values } = counts.column;
  const { perDomain } = counts;
  const self = Number(matchesLabels(selection, pod.labels));
  const minimum = globalMinimum(counts, minDomains);
  /** The most Pods that a domain may have already. */
  const allowed = maxSkew + minimum - self;
  const withoutLabel = unresolvable(missingLabel, `no label ${topologyKey}`);
  const refusals: (Refusal | undefined)[] = [];
  return (slot) => {
    const domain = domainOf[slot] ?? -1;
    if (domain < 0) return withoutLabel;
    // A domain without an included node has no Pods that count.
    const count = perDomain[domain] ?? 0;
    if (count <= allowed) return undefined;
    refusals[domain] ??= rejects(
      "Unschedulable",
      skewExceeded,
      `skew of ${topologyKey}=${values[domain]} would be ${count + self - minimum}, at most ${maxSkew}: ` +
        `${count} there, ${minimum} in the emptiest`,
    );
    return refusals[domain];
  };
}
