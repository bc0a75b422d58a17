import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { isNodeReady } from "../../cluster/kubelet/nodes/simulated-node.ts";
import { zoneOf } from "../tracking/node-domains.ts";

/** How many Pods are in each zone, by name of the zone. */
export type ZoneCounts = Readonly<Record<string, number>>;

/** Counts Pods per zone; a zone without Pods counts as well, a Pod without a node or zone does not. */
export function countPerZone(pods: readonly Pod[], nodes: readonly Node[]): ZoneCounts {
  const zones = new Map(nodes.map((node) => [node.metadata.name, zoneOf(node.metadata)]));
  const names = [...new Set(zones.values())].filter((zone) => zone !== undefined).sort();
  const counts = new Map(names.map((zone) => [zone, 0]));
  for (const { spec } of pods) {
    const zone = zones.get(spec.nodeName ?? "");
    if (zone !== undefined) counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** The difference between the fullest and the emptiest zone, among those that have a ready node. */
export function skewOf(counts: ZoneCounts, nodes: readonly Node[]): number {
  const alive = new Set(nodes.filter(isNodeReady).map(({ metadata }) => zoneOf(metadata)));
  const numbers = Object.entries(counts).flatMap(([zone, count]) => (alive.has(zone) ? [count] : []));
  return numbers.length === 0 ? 0 : Math.max(...numbers) - Math.min(...numbers);
}
