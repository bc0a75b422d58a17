import type { PodInfo } from "../objects/pod-info.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import {
  type DomainTotals,
  noNode,
  type NumberColumn,
  type PodCounter,
  type TopologyColumn,
} from "../view/cluster-columns.ts";
import { includedNodes, type NodeMask } from "./counting.ts";
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
    const isPartial =
      mask === undefined
        ? incomplete.some((each) => each !== column)
        : incomplete.length > 0 || countsOutside(mask, counter);
    if (isPartial)
      return partialCounts(column, foldDomains(column, counter.perNode, { mask, demanded: incomplete }));
    const { perDomain, minimum } = counter.totalsBy(constraint.topologyKey);
    // No node lacks a key, and no Pod is on a node that is left out: the totals are those of the nodes that count.
    if (mask !== undefined) return countsWithin(domainsWithin(mask, column), column, { perDomain, minimum });
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

/** Whether a node that a mask leaves out has Pods that are counted. */
function countsOutside(mask: NodeMask, { perNode }: PodCounter): boolean {
  for (let slot = 0; slot < mask.length; slot++) if (mask[slot] === 0 && perNode[slot] !== 0) return true;
  return false;
}

/** The domains that have a node which counts, and their number. */
interface DomainsWithin {
  readonly isWithin: Uint8Array;
  readonly domains: number;
}

/** By mask, which is another one when nodes have changed, and by column. */
const domainsOfMasks = new WeakMap<NodeMask, WeakMap<TopologyColumn, DomainsWithin>>();

function domainsWithin(mask: NodeMask, column: TopologyColumn): DomainsWithin {
  const byColumn = domainsOfMasks.get(mask) ?? new WeakMap<TopologyColumn, DomainsWithin>();
  domainsOfMasks.set(mask, byColumn);
  const known = byColumn.get(column) ?? findDomains(mask, column);
  byColumn.set(column, known);
  return known;
}

function findDomains(mask: NodeMask, { domainOf, values }: TopologyColumn): DomainsWithin {
  const isWithin = new Uint8Array(values.length);
  let domains = 0;
  for (let slot = 0; slot < mask.length; slot++) {
    const domain = domainOf[slot] ?? noNode;
    if (mask[slot] === 0 || domain < 0) continue;
    if (isWithin[domain] === 0) domains++;
    isWithin[domain] = 1;
  }
  return { isWithin, domains };
}

/** The totals of all domains, of which some count. */
function countsWithin(
  { isWithin, domains }: DomainsWithin,
  column: TopologyColumn,
  totals: DomainTotals,
): CountedConstraint {
  const { perDomain } = totals;
  const lowest = totals.minimum;
  let minimum = domains === 0 ? 0 : Infinity;
  // No domain has fewer Pods than the emptiest of all.
  for (let domain = 0; domain < isWithin.length && minimum > lowest; domain++)
    if (isWithin[domain] === 1) minimum = Math.min(minimum, perDomain[domain] ?? 0);
  return { column, perDomain, isCounted: (domain) => isWithin[domain] === 1, domains, minimum };
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
