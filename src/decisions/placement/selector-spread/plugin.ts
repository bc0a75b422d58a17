import { deriveSelector } from "../derived-selector.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import { itemsOf } from "../snapshot/reading.ts";
import type { Plugin } from "../plugin.ts";
import { countMatching } from "../pod-topology-spread/counting.ts";
import { zoneKey } from "../snapshot/zone-key.ts";

/** How much the zone matters beside the node. */
const zoneWeight = 2 / 3;

/** Prefers nodes and zones with fewer Pods of the same Services and controller: how it was before default constraints. */
export const selectorSpread: Plugin = {
  name: "SelectorSpread",

  preFilter(pod, snapshot) {
    // A Pod with constraints of its own gets 0 everywhere.
    if (itemsOf(pod.pod.spec?.topologySpreadConstraints).length > 0) {
      return { preScore: () => ({ kind: "scores", score: () => 0 }) };
    }
    const derived = deriveSelector(pod, snapshot);
    return {
      preScore: (feasible) => ({
        kind: "scores",
        score: (node) => countMatching(node, derived.selection, pod.namespace),
        normalize: (raw) => normalize(raw, feasible),
      }),
      state: { selector: derived },
    };
  },
};

/** The fewer Pods on the node and in its zone, the higher; only the nodes that are scored count. */
function normalize(raw: readonly number[], nodes: readonly NodeInfo[]): readonly number[] {
  const zones = nodes.map(({ labels }) => zoneKey(labels));
  const perZone = new Map<string, number>();
  for (const [index, zone] of zones.entries()) {
    if (zone !== "") perZone.set(zone, (perZone.get(zone) ?? 0) + (raw[index] ?? 0));
  }
  const mostOnNode = mostOf(raw);
  const mostInZone = mostOf(perZone.values());
  return raw.map((count, index) => {
    const ofNode = room(count, mostOnNode);
    const inZone = perZone.get(zones[index] ?? "");
    if (inZone === undefined) return Math.trunc(ofNode);
    return Math.trunc(ofNode * (1 - zoneWeight) + zoneWeight * room(inZone, mostInZone));
  });
}

function mostOf(counts: Iterable<number>): number {
  let most = 0;
  for (const count of counts) most = Math.max(most, count);
  return most;
}

/** How much emptier than the fullest, in percent. */
function room(count: number, most: number): number {
  return most === 0 ? 100 : 100 * ((most - count) / most);
}
