import { hostnameLabel } from "../../../api/well-known.ts";
import { quotient } from "../arithmetic.ts";
import { mapInto } from "../placement-workspace.ts";
import type { Scorer } from "../plugin.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import { type NumberColumn, emptyValue, noNode, type TopologyColumn } from "../view/cluster-columns.ts";
import { includedNodes } from "./counting.ts";
import { incompleteColumns } from "./counted-constraint.ts";
import { countedDomain, foldDomains, lacksKey } from "./fold-domains.ts";
import type { SpreadConstraint } from "../objects/spread-constraint.ts";

/** What soft constraints are scored with. */
export interface SoftSpread {
  readonly constraints: readonly SpreadConstraint[];
  readonly needsAllKeys: boolean;
  readonly pod: PodInfo;
  readonly cluster: ClusterView;
}

/** The domains of the feasible nodes (upstream: preScoreState). */
export interface SpreadState {
  /** The topology keys that nodes must not lack, or they score 0. */
  readonly demanded: readonly TopologyColumn[];
  readonly constraints: readonly WeightedCounts[];
}

/** A constraint and its counts. All have one shape; otherwise V8 would allocate the weight at every read. */
interface WeightedCounts {
  readonly column: TopologyColumn;
  /** Matching Pods by number of the domain; `undefined` for hostnames, which are counted node by node. */
  readonly perDomain: NumberColumn | undefined;
  readonly perNode: NumberColumn;
  readonly maxSkew: number;
  /** Grows with the number of domains of feasible nodes (upstream: topologyNormalizingWeight). */
  readonly weight: number;
}

/** Prepares to score nodes by the number of matching Pods in their domains. */
export function spreadScorer(spread: SoftSpread, feasible: readonly NodeInfo[]): Scorer {
  const state = spreadState(spread, feasible);
  return {
    kind: "scores",
    score: ({ slot }) => (lacksKey(slot, state.demanded) ? 0 : weightedPodCount(slot, state)),
    normalize: (raw, into) => normalize(raw, { nodes: feasible, demanded: state.demanded, into }),
  };
}

/** Counts the Pods in the domains of the feasible nodes, including those on other nodes of these domains. */
export function spreadState(spread: SoftSpread, feasible: readonly NodeInfo[]): SpreadState {
  const { constraints, needsAllKeys, pod, cluster } = spread;
  const demanded = needsAllKeys ? incompleteColumns(constraints, cluster) : [];
  const weighted = constraints.map((constraint): WeightedCounts => {
    const { topologyKey, selection, maxSkew } = constraint;
    const column = cluster.columns.topology(topologyKey);
    const { perNode } = cluster.columns.counter(pod.namespace, selection);
    const isHostname = topologyKey === hostnameLabel;
    const domains = isHostname ? candidatesAmong(feasible, demanded) : domainsOf(feasible, column, demanded);
    const perDomain = isHostname ? undefined : domainTotals(constraint, spread, demanded);
    return { column, perDomain, perNode, maxSkew, weight: Math.log(domains + 2) };
  });
  return { demanded, constraints: weighted };
}

function candidatesAmong(feasible: readonly NodeInfo[], demanded: readonly TopologyColumn[]): number {
  if (demanded.length === 0) return feasible.length;
  return feasible.filter(({ slot }) => !lacksKey(slot, demanded)).length;
}

/** The number of domains that feasible nodes are in. Those without the key share the domain of the empty value. */
function domainsOf(
  feasible: readonly NodeInfo[],
  { domainOf, values }: TopologyColumn,
  demanded: readonly TopologyColumn[],
): number {
  const isSeen = new Uint8Array(values.length);
  let domains = 0;
  for (const { slot } of feasible) {
    if (demanded.length > 0 && lacksKey(slot, demanded)) continue;
    const domain = countedDomain(domainOf, slot);
    if (isSeen[domain] === 1) continue;
    isSeen[domain] = 1;
    domains++;
  }
  return domains;
}

/** The matching Pods of every domain, on all nodes that count. */
function domainTotals(
  constraint: SpreadConstraint,
  { pod, cluster }: SoftSpread,
  demanded: readonly TopologyColumn[],
): NumberColumn {
  const column = cluster.columns.topology(constraint.topologyKey);
  const counter = cluster.columns.counter(pod.namespace, constraint.selection);
  const mask = includedNodes(constraint, pod, cluster);
  const isPartial =
    mask !== undefined || demanded.some((each) => each !== column) || sharesEmptyValue(column, demanded);
  if (!isPartial) return counter.totalsBy(constraint.topologyKey).perDomain;
  return foldDomains(column, counter.perNode, { mask, demanded }).perDomain;
}

/** Whether nodes without the key count for the same domain as nodes that have it. */
function sharesEmptyValue(column: TopologyColumn, demanded: readonly TopologyColumn[]): boolean {
  return !demanded.includes(column) && column.nodesWithoutKey > 0 && column.hasNode(emptyValue);
}

/** The number of matching Pods in the domains of a node, weighted by constraint. */
function weightedPodCount(slot: number, { constraints }: SpreadState): number {
  let sum = 0;
  for (const { column, perDomain, perNode, weight, maxSkew } of constraints) {
    const domain = column.domainOf[slot] ?? noNode;
    if (domain < 0) continue;
    const count = perDomain === undefined ? perNode[slot] : perDomain[domain];
    sum += (count ?? 0) * weight + (maxSkew - 1);
  }
  return Math.round(sum);
}

/** What the scores of nodes are normalized with. */
interface Normalization extends Pick<SpreadState, "demanded"> {
  readonly nodes: readonly NodeInfo[];
  readonly into: number[] | undefined;
}

/** The fewer Pods, the higher the score; the best node has 100. */
function normalize(raw: readonly number[], { nodes, demanded, into = [] }: Normalization): readonly number[] {
  const isIgnored = (index: number): boolean =>
    demanded.length > 0 && lacksKey(nodes[index]?.slot ?? -1, demanded);
  let largest = 0;
  let smallest = Infinity;
  for (let index = 0; index < raw.length; index++) {
    if (isIgnored(index)) continue;
    const score = raw[index] ?? 0;
    largest = Math.max(largest, score);
    smallest = Math.min(smallest, score);
  }
  return mapInto(into, raw, (score, index) => {
    if (isIgnored(index)) return 0;
    return largest === 0 ? 100 : quotient(100 * (largest + smallest - score), largest);
  });
}
