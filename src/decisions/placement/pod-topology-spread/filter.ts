import { matchesLabels } from "../../../api/labels/label-selector.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { fits, type PlainRejection, type SharedRejection, unresolvable, type Verdict } from "../plugin.ts";
import type { TopologyColumn } from "../view/cluster-columns.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import { countDomains, type CountedConstraint, globalMinimum } from "./counted-constraint.ts";
import type { SpreadConstraint } from "../objects/spread-constraint.ts";

const missingLabel = "node(s) didn't match pod topology spread constraints (missing required label)";
const skewExceeded = ["node(s) didn't match pod topology spread constraints"];

/** Rejects nodes in whose domain the Pod would exceed `maxSkew` of a hard constraint. */
export function spreadFilter(
  constraints: readonly SpreadConstraint[],
  pod: PodInfo,
  cluster: ClusterView,
): (node: NodeInfo) => Verdict {
  const counts = countDomains(constraints, pod, cluster);
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
  counts: CountedConstraint,
  pod: PodInfo,
): (slot: number) => PlainRejection | SharedRejection | undefined {
  const { topologyKey, maxSkew, selection, minDomains } = constraint;
  const { column } = counts;
  const { domainOf } = column;
  const { perDomain } = counts;
  const self = Number(matchesLabels(selection, pod.labels));
  const minimum = globalMinimum(counts, minDomains);
  /** The most Pods that a domain may have already. */
  const allowed = maxSkew + minimum - self;
  const withoutLabel = unresolvable(missingLabel, `no label ${topologyKey}`);
  /** The refusals, by the number of Pods in the domain: where hosts are domains, thousands of them share a number. */
  const refusals = new Map<number, SharedRejection>();
  return (slot) => {
    const domain = domainOf[slot] ?? -1;
    if (domain < 0) return withoutLabel;
    // A domain without an included node has no Pods that count.
    const count = perDomain[domain] ?? 0;
    if (count <= allowed) return undefined;
    const refusal = refusals.get(count) ?? tooMany(count, { topologyKey, maxSkew, minimum, self, column });
    refusals.set(count, refusal);
    return refusal;
  };
}

/** The numbers of a refusal besides the number of Pods in the domain. */
interface SkewLimit extends Pick<SpreadConstraint, "topologyKey" | "maxSkew"> {
  readonly minimum: number;
  readonly self: number;
  readonly column: TopologyColumn;
}

/** Returns the refusal of nodes whose domain has `count` Pods. It is kept with placements, so it must not hold on to the counts. */
function tooMany(count: number, { topologyKey, maxSkew, minimum, self, column }: SkewLimit): SharedRejection {
  return {
    kind: "rejects",
    code: "Unschedulable",
    reasons: skewExceeded,
    detail: {
      // Not from the labels of the node: for thousands of refused nodes that took an eighth of a placement.
      subject: ({ slot }) => column.values[column.domainOf[slot] ?? -1] ?? "",
      text: (value) =>
        `skew of ${topologyKey}=${value} would be ${count + self - minimum}, at most ${maxSkew}: ` +
        `${count} there, ${minimum} in the emptiest`,
    },
  };
}
