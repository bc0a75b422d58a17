import { deriveSelector } from "../derived-selector.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { itemsOf } from "../../../src/decisions/placement/objects/reading.ts";
import type { Plugin } from "../plugin.ts";
import { countMatching } from "../pod-topology-spread/counting.ts";
import { zoneKeyOf } from "../../../src/decisions/placement/objects/node-info.ts";

/** The weight of the zone; the node has the rest. */
const zoneWeight = 2 / 3;

/** Prefers nodes and zones with fewer Pods of the same Services and controller, as before default constraints. */
export const selectorSpread: Plugin = {
  name: "SelectorSpread",

  preFilter(pod, snapshot) {
    return hasConstraints(pod) ? undefined : { state: { selector: deriveSelector(pod, snapshot) } };
  },

  preScore(pod, snapshot, feasible) {
    // A Pod with constraints of its own scores 0 on every node.
    if (hasConstraints(pod)) return { kind: "scores", score: () => 0 };
    const { selection } = deriveSelector(pod, snapshot);
    return {
      kind: "scores",
      score: (node) => countMatching(node, selection, pod.namespace),
      normalize: (raw) => normalize(raw, feasible),
    };
  },
};

function hasConstraints({ pod }: PodInfo): boolean {
  return itemsOf(pod.spec?.topologySpreadConstraints).length > 0;
}

/** The fewer Pods on the node and in its zone, the higher the score; only Pods on feasible nodes count. */
function normalize(raw: readonly number[], nodes: readonly NodeInfo[]): readonly number[] {
  const zones = nodes.map(({ labels }) => zoneKeyOf(labels));
  const perZone = new Map<string, number>();
  for (const [index, zone] of zones.entries()) {
    if (zone !== "") perZone.set(zone, (perZone.get(zone) ?? 0) + (raw[index] ?? 0));
  }
  const mostOnNode = mostOf(raw);
  const mostInZone = mostOf(perZone.values());
  return raw.map((count, index) => {
    const ofNode = percentBelow(count, mostOnNode);
    const inZone = perZone.get(zones[index] ?? "");
    if (inZone === undefined) return Math.trunc(ofNode);
    return Math.trunc(ofNode * (1 - zoneWeight) + zoneWeight * percentBelow(inZone, mostInZone));
  });
}

function mostOf(counts: Iterable<number>): number {
  let most = 0;
  for (const count of counts) most = Math.max(most, count);
  return most;
}

/** How far a count is below the highest, in percent. */
function percentBelow(count: number, most: number): number {
  return most === 0 ? 100 : 100 * ((most - count) / most);
}
