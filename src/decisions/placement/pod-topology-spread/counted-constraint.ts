import type { PodInfo } from "../objects/pod-info.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import type { NumberColumn, TopologyColumn } from "../view/cluster-columns.ts";
import { includedNodes } from "./counting.ts";
import { type FoldedDomains, foldDomains } from "./fold-domains.ts";
import type { SpreadConstraint } from "../objects/spread-constraint.ts";

/** The number of matching Pods in every domain of a constraint. */
export interface CountedConstraint {
  readonly column: TopologyColumn;
  /** By number of the domain; a domain beyond its end has no Pods. */
  readonly perDomain: NumberColumn;
  /** Whether a domain has a node which counts. */
  readonly isCounted: (domain: number) => boolean;
  /** The number of these domains. */
  readonly domains: number;
  /** The number of Pods in the emptiest of these domains; 0 when there are none. */
  readonly minimum: number;
}

/** Counts, for each hard constraint, the Pods in every domain of the whole cluster. */
export function countDomains(
  constraints: readonly SpreadConstraint[],
  pod: PodInfo,
  cluster: ClusterView,
): readonly CountedConstraint[] {
  const { columns } = cluster;
  const incomplete = incompleteColumns(constraints, cluster);
  return constraints.map((constraint) => {
    const column = columns.topology(constraint.topologyKey);
    const counter = columns.counter(pod.namespace, constraint.selection);
    const mask = includedNodes(constraint, pod, cluster);
    if (mask !== undefined || incomplete.some((each) => each !== column))
      return partialCounts(column, foldDomains(column, counter.perNode, { mask, demanded: incomplete }));
    const { perDomain, minimum } = counter.totalsBy(constraint.topologyKey);
    const isCounted = (domain: number): boolean => column.hasNode(domain);
    return { column, perDomain, isCounted, domains: column.domains, minimum };
  });
}

/** The topology keys of constraints that some nodes lack. */
export function incompleteColumns(
  constraints: readonly SpreadConstraint[],
  { columns }: ClusterView,
): readonly TopologyColumn[] {
  return constraints
    .map(({ topologyKey }) => columns.topology(topologyKey))
    .filter(({ nodesWithoutKey }) => nodesWithoutKey > 0);
}

/** The counts of the nodes that are left when some are not counted. */
function partialCounts(column: TopologyColumn, { perDomain, isCounted }: FoldedDomains): CountedConstraint {
  let domains = 0;
  let minimum = Infinity;
  for (let domain = 0; domain < isCounted.length; domain++) {
    if (isCounted[domain] === 0) continue;
    domains++;
    minimum = Math.min(minimum, perDomain[domain] ?? 0);
  }
  return {
    column,
    perDomain,
    isCounted: (domain) => isCounted[domain] === 1,
    domains,
    minimum: domains === 0 ? 0 : minimum,
  };
}

/** The number of matching Pods in the emptiest domain, or 0 while there are fewer domains than `minDomains`. */
export function globalMinimum({ domains, minimum }: CountedConstraint, minDomains: number): number {
  return domains < minDomains ? 0 : minimum;
}
