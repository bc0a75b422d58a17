import type { LiveColumns } from "./live-columns.ts";
import type { LiveNode } from "./live-node.ts";
import type { LiveCounter } from "./live-counter.ts";
import type { PodInfo } from "../../../decisions/placement/objects/pod-info.ts";
import { labelOf } from "../../../decisions/placement/objects/reading.ts";
import type { LiveTopology } from "./live-topology.ts";

/**
 * Counts everything again from the Pods and nodes themselves, and returns the first number that the columns have wrong.
 * It takes as long as the plain scheduler does: for tests, and for finding an error.
 */
export function recount(columns: LiveColumns): string | undefined {
  const nodes = [...columns.all()];
  return (
    firstOf(nodes, (node) => wrongRequests(columns, node) ?? wrongPodCount(columns, node)) ??
    firstOf(columns.topologies(), (column) => firstOf(nodes, (node) => wrongDomain(column, node))) ??
    firstOf(columns.counters(), ([namespace, counter]) => wrongCounter(columns, namespace, counter))
  );
}

function firstOf<T>(items: Iterable<T>, problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function differs(what: string, kept: number | undefined, counted: number): string | undefined {
  return (kept ?? 0) === counted ? undefined : `${what} is ${counted}, not ${kept}`;
}

function wrongPodCount({ nodes }: LiveColumns, { slot, name, pods }: LiveNode): string | undefined {
  return differs(`the number of Pods on ${name}`, nodes.podCount[slot], pods.length);
}

function wrongRequests(columns: LiveColumns, node: LiveNode): string | undefined {
  const { slot, name, pods } = node;
  // Includes resources that no Pod requests any more: a leftover sum would take room from the next Pods.
  const kept = [...node.requested.keys(), ...node.nonZeroRequested.keys()];
  const names = new Set([...kept, ...pods.flatMap(({ nonZeroRequest }) => [...nonZeroRequest.keys()])]);
  return firstOf(names, (resource) => {
    const { requested, nonZeroRequested } = columns.resource(resource);
    const sumOf = (amount: (pod: PodInfo) => number | undefined): number =>
      pods.reduce((sum, pod) => sum + (amount(pod) ?? 0), 0);
    return (
      differs(
        `the requested ${resource} on ${name}`,
        requested[slot],
        sumOf((pod) => pod.request.get(resource)),
      ) ??
      differs(
        `the requested ${resource} on ${name}, with defaults,`,
        nonZeroRequested[slot],
        sumOf((pod) => pod.nonZeroRequest.get(resource)),
      )
    );
  });
}

function wrongDomain(column: LiveTopology, node: LiveNode): string | undefined {
  if (!node.isPresent) return undefined;
  const kept = column.values[column.domainOf[node.slot] ?? -1];
  const value = labelOf(node.labels, column.key);
  return kept === value ? undefined : `${column.key} of ${node.name} is ${value}, not ${kept}`;
}

function wrongCounter(columns: LiveColumns, namespace: string, counter: LiveCounter): string | undefined {
  const what = `the number of Pods in ${namespace} with ${JSON.stringify(counter.selection)}`;
  const perNode = new Map<LiveNode, number>();
  for (const node of columns.all()) {
    const counted = node.pods.filter(
      (pod) => pod.namespace === namespace && !pod.isTerminating && counter.counts(pod.labels),
    );
    perNode.set(node, counted.length);
  }
  return (
    firstOf(perNode, ([{ slot, name }, count]) =>
      differs(`${what} on ${name}`, counter.perNode[slot], count),
    ) ?? firstOf(counter.columns(), (column) => wrongTotals(what, { counter, column, perNode }))
  );
}

interface Counted {
  readonly counter: LiveCounter;
  readonly column: LiveTopology;
  readonly perNode: ReadonlyMap<LiveNode, number>;
}

function wrongTotals(what: string, { counter, column, perNode }: Counted): string | undefined {
  const { perDomain, minimum } = counter.totalsBy(column.key);
  const totals = new Map<string, number>();
  for (const [{ isPresent, labels }, count] of perNode) {
    const value = isPresent ? labelOf(labels, column.key) : undefined;
    if (value !== undefined) totals.set(value, (totals.get(value) ?? 0) + count);
  }
  return (
    firstOf(totals, ([value, total]) =>
      differs(`${what} in ${column.key}=${value}`, perDomain[column.values.indexOf(value)], total),
    ) ??
    differs(`the number of domains of ${column.key}`, column.domains, totals.size) ??
    differs(
      `${what} in the emptiest ${column.key}`,
      minimum,
      Math.min(...(totals.size > 0 ? totals.values() : [0])),
    )
  );
}
