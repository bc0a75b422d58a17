import type { NodeInfo } from "../objects/node-info.ts";
import { hasAffinity, type PodInfo } from "../objects/pod-info.ts";
import { labelOf } from "../objects/reading.ts";
import type { ClusterView } from "../view/cluster-view.ts";

/** Whether the Pod or any Pod on a node has affinity to others: mostly none has. */
export function mayConcern(pod: PodInfo, { columns }: ClusterView): boolean {
  return columns.nodesWithAffinity.size > 0 || hasAffinity(pod);
}

/** The nodes with Pods whose affinity terms, or whose match with the Pod's terms, can matter: mostly none. */
export function* relevantNodes(
  pod: PodInfo,
  { nodes, columns }: ClusterView,
): Generator<readonly [node: NodeInfo, pods: readonly PodInfo[]]> {
  if (hasAffinity(pod)) for (const node of nodes) yield [node, node.pods];
  else for (const node of columns.nodesWithAffinity) yield [node, node.podsWithAffinity];
}

/** Sums per topology domain: a topology key and one of its values. */
export interface TopologySums {
  /** Adds to the domain of a node; a node without the key is in none. */
  readonly add: (node: NodeInfo, topologyKey: string, amount: number) => void;
  /** The sum of the node's domain of this key. */
  readonly at: (node: NodeInfo, topologyKey: string) => number;
  /** The keys for which an amount was added, even if the sum is 0 again. */
  readonly keys: () => readonly string[];
}

/** Sums that start at 0. */
export function topologySums(): TopologySums {
  const sums = new Map<string, Map<string, number>>();
  return {
    add(node, topologyKey, amount) {
      const value = labelOf(node.labels, topologyKey);
      if (value === undefined) return;
      const perValue = sums.get(topologyKey) ?? new Map<string, number>();
      perValue.set(value, (perValue.get(value) ?? 0) + amount);
      sums.set(topologyKey, perValue);
    },
    at(node, topologyKey) {
      const value = labelOf(node.labels, topologyKey);
      return value === undefined ? 0 : (sums.get(topologyKey)?.get(value) ?? 0);
    },
    keys: () => [...sums.keys()],
  };
}
