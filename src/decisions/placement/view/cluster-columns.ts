import type { LabelSelection } from "../../../api/labels/label-selector.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import type { PlacementTemplate } from "./placement-template.ts";

/** Numbers by slot of the node. Only the view itself writes them. */
export type NumberColumn = ArrayLike<number>;

/**
 * The nodes of a cluster and their Pods as columns, and counters of the Pods that selections match: a decision about
 * thousands of nodes reads numbers, and goes through no Pods.
 */
export interface ClusterColumns {
  /** The length of every column. */
  readonly capacity: number;
  /** Changes with every change of a node that may change which nodes a Pod's node affinity and tolerations admit. */
  readonly nodesVersion: number;
  /** Changes with every change of a node or of the Pods on it. Never 0. */
  readonly nodeVersions: NumberColumn;
  readonly nodes: NodeColumns;
  /** Nodes with Pods that have affinity or anti-affinity: most clusters have few. */
  readonly nodesWithAffinity: ReadonlySet<NodeInfo>;
  /** The amounts of a resource on every node. */
  resource(name: string): ResourceColumn;
  /** The domains of all nodes by a topology key. */
  topology(key: string): TopologyColumn;
  /** The counter of the Pods of a namespace that a selection matches. */
  counter(namespace: string, selection: LabelSelection): PodCounter;
  /** The template of a Pod; see `perTemplate`. */
  templateOf(pod: PodInfo): PlacementTemplate;
}

/** What filters read of every node: in thousands of nodes, reading objects takes longer than deciding. */
export interface NodeColumns {
  /** 1 for nodes that are cordoned. */
  readonly isUnschedulable: NumberColumn;
  /** 1 for nodes that have any taint. */
  readonly isTainted: NumberColumn;
  readonly podCount: NumberColumn;
  readonly allowedPods: NumberColumn;
}

/** The amounts of one resource. */
export interface ResourceColumn {
  readonly allocatable: NumberColumn;
  /** The sum of the requests of the node's Pods. */
  readonly requested: NumberColumn;
  readonly nonZeroRequested: NumberColumn;
}

/** The domain of a node that lacks the topology key. */
export const missingKey = -1;
/** The domain of a slot without a node: it counts for nothing. */
export const noNode = -2;
/** The domain of the empty label value, which nodes without the key share where the key is not demanded. */
export const emptyValue = 0;

/** The domain of every node by one topology key, as numbers: a label value is compared as a string only once. */
export interface TopologyColumn {
  readonly key: string;
  /** The number of the node's domain, `missingKey` or `noNode`. */
  readonly domainOf: NumberColumn;
  /** The label value of each domain; empty for a domain without nodes. */
  readonly values: readonly string[];
  /** The number of nodes that lack the key. */
  readonly nodesWithoutKey: number;
  /** The number of domains that have a node. */
  readonly domains: number;
  hasNode(domain: number): boolean;
}

/**
 * The number of Pods of a namespace that a selection matches, on every node, without terminating ones. A selection
 * without requirements counts none, although it would match any: kube-scheduler counts so too.
 */
export interface PodCounter {
  readonly perNode: NumberColumn;
  /** The totals by a topology key. */
  totalsBy(topologyKey: string): DomainTotals;
}

/** The number of Pods of a counter in every domain of a topology key, and the smallest of these numbers. */
export interface DomainTotals {
  /** By number of the domain; a domain beyond its end has no Pods. */
  readonly perDomain: NumberColumn;
  /** The smallest total of all domains that have a node; 0 when there is none. */
  readonly minimum: number;
}
