import type { LabelSelection } from "../../../api/labels/label-selector.ts";
import { resourceAmount } from "../objects/amounts.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import { countsLabels, selectionKey } from "../objects/pod-selection.ts";
import { labelOf } from "../objects/reading.ts";
import {
  type ClusterColumns,
  type NumberColumn,
  type DomainTotals,
  emptyValue,
  missingKey,
  type PodCounter,
  type TopologyColumn,
} from "./cluster-columns.ts";
import { PlacementTemplates } from "./placement-template.ts";

/** The columns of a list of nodes, whose slots are their indexes. What is asked for is counted once. */
export function columnsOf(nodes: readonly NodeInfo[]): ClusterColumns {
  const topology = memoised((key: string) => topologyOf(nodes, key));
  const counter = countersBy((namespace, selection) =>
    counterOf(Int32Array.from(nodes, countOf(namespace, selection)), topology),
  );
  return {
    ...ofTheseNodes(nodes),
    capacity: nodes.length,
    nodesVersion: 0,
    nodeVersions: new Uint32Array(nodes.length).fill(1),
    nodes: {
      isUnschedulable: Uint8Array.from(nodes, ({ isUnschedulable }) => Number(isUnschedulable)),
      isTainted: Uint8Array.from(nodes, ({ taints }) => Number(taints.length > 0)),
      podCount: Int32Array.from(nodes, ({ pods }) => pods.length),
      allowedPods: Float64Array.from(nodes, ({ allowedPods }) => allowedPods),
    },
    resource: memoised((name: string) => ({
      allocatable: Float64Array.from(nodes, ({ allocatable }) => resourceAmount(allocatable, name)),
      requested: Float64Array.from(nodes, ({ requested }) => resourceAmount(requested, name)),
      nonZeroRequested: Float64Array.from(nodes, ({ nonZeroRequested }) =>
        resourceAmount(nonZeroRequested, name),
      ),
    })),
    topology,
    counter,
  };
}

/** The columns of the same nodes, of which one has other Pods: only that one is counted again. */
export function columnsWith(
  before: ClusterColumns,
  nodes: readonly NodeInfo[],
  changed: NodeInfo,
): ClusterColumns {
  const { slot } = changed;
  const counter = countersBy((namespace, selection) => {
    const perNode = new Int32Array(before.counter(namespace, selection).perNode);
    perNode[slot] = countOf(namespace, selection)(changed);
    return counterOf(perNode, (key) => before.topology(key));
  });
  const podCount = new Int32Array(before.nodes.podCount);
  podCount[slot] = changed.pods.length;
  return {
    ...before,
    ...ofTheseNodes(nodes),
    nodes: { ...before.nodes, podCount },
    resource: memoised((name: string) => {
      const column = before.resource(name);
      const requested = new Float64Array(column.requested);
      const nonZeroRequested = new Float64Array(column.nonZeroRequested);
      requested[slot] = resourceAmount(changed.requested, name);
      nonZeroRequested[slot] = resourceAmount(changed.nonZeroRequested, name);
      return { allocatable: column.allocatable, requested, nonZeroRequested };
    }),
    counter,
  };
}

/** The parts that two lists of nodes never share: what a template keeps belongs to the columns it was computed from. */
function ofTheseNodes(nodes: readonly NodeInfo[]): Pick<ClusterColumns, "nodesWithAffinity" | "templateOf"> {
  const templates = new PlacementTemplates();
  return {
    nodesWithAffinity: new Set(nodes.filter(({ podsWithAffinity }) => podsWithAffinity.length > 0)),
    templateOf: (pod) => templates.of(pod, nodes.length),
  };
}

function topologyOf(nodes: readonly NodeInfo[], key: string): TopologyColumn {
  const numbers = new Map([["", emptyValue]]);
  const domainOf = Int32Array.from(nodes, ({ labels }) => {
    const value = labelOf(labels, key);
    if (value === undefined) return missingKey;
    const number = numbers.get(value) ?? numbers.size;
    numbers.set(value, number);
    return number;
  });
  const withNode = new Set(domainOf.filter((domain) => domain !== missingKey));
  return {
    key,
    domainOf,
    values: [...numbers.keys()],
    nodesWithoutKey: domainOf.filter((domain) => domain === missingKey).length,
    domains: withNode.size,
    hasNode: (domain) => withNode.has(domain),
  };
}

/** Counts the Pods of a node that a selection matches. */
function countOf(namespace: string, selection: LabelSelection): (node: NodeInfo) => number {
  return ({ pods }) =>
    pods.filter(
      (pod) => pod.namespace === namespace && !pod.isTerminating && countsLabels(selection, pod.labels),
    ).length;
}

/** Makes one counter for all selections that are written alike. */
function countersBy(make: ClusterColumns["counter"]): ClusterColumns["counter"] {
  const made = new Map<string, PodCounter>();
  return (namespace, selection) => {
    const key = `${namespace}/${selectionKey(selection)}`;
    const known = made.get(key) ?? make(namespace, selection);
    made.set(key, known);
    return known;
  };
}

function counterOf(perNode: Int32Array, topology: ClusterColumns["topology"]): PodCounter {
  return { perNode, totalsBy: memoised((key: string) => totalsOf(perNode, topology(key))) };
}

function totalsOf(perNode: NumberColumn, column: TopologyColumn): DomainTotals {
  const { domainOf, values } = column;
  const perDomain = new Int32Array(values.length);
  for (let slot = 0; slot < domainOf.length; slot++) {
    const domain = domainOf[slot] ?? missingKey;
    if (domain !== missingKey) perDomain[domain] = (perDomain[domain] ?? 0) + (perNode[slot] ?? 0);
  }
  const counted = perDomain.filter((_, domain) => column.hasNode(domain));
  return { perDomain, minimum: counted.length === 0 ? 0 : counted.reduce((a, b) => Math.min(a, b)) };
}

function memoised<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}
