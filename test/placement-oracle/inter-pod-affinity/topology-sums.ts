import type { NodeInfo } from "../snapshot/node-info.ts";
import { hasAffinity, type PodInfo } from "../snapshot/pod-info.ts";
import { labelOf } from "../../../src/decisions/placement/objects/reading.ts";

/** Returns the Pods of a node whose affinity terms, or whose match with the Pod's terms, can matter: mostly none. */
export function relevantPodsFor(pod: PodInfo): (node: NodeInfo) => readonly PodInfo[] {
  return hasAffinity(pod) ? (node) => node.pods : (node) => node.podsWithAffinity;
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
