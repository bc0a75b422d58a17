import type { NodeInfo } from "../snapshot/node-info.ts";
import { labelOf } from "../snapshot/reading.ts";

/** Sums per domain, a domain being a topology key and one of its values. */
export interface TopologySums {
  /** Adds to the domain a node is in; a node without the key is in none. */
  readonly add: (node: NodeInfo, topologyKey: string, amount: number) => void;
  /** What was added to the node's domain of this key. */
  readonly at: (node: NodeInfo, topologyKey: string) => number;
  /** The keys for which anything was added, even if it cancelled out. */
  readonly keys: () => readonly string[];
}

/** Sums of nothing yet. */
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
