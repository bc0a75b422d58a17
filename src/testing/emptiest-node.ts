import { isConditionTrue } from "../api/conditions.ts";
import type { Node } from "../api/generated/core-v1.ts";

const zoneLabel = "topology.kubernetes.io/zone";

/** The emptiest ready node of the emptiest zone, by name among equals; resources, affinity and taints do not matter. */
export function emptiestNode(nodes: readonly Node[], podsOn: (node: string) => number): Node | undefined {
  const usable = nodes.filter(
    (node) => node.spec.unschedulable !== true && isConditionTrue(node.status?.conditions, "Ready"),
  );
  const perZone = new Map<string, number>();
  for (const node of usable)
    perZone.set(zoneOf(node), (perZone.get(zoneOf(node)) ?? 0) + podsOn(node.metadata.name));
  const rank = (node: Node) => [perZone.get(zoneOf(node)) ?? 0, podsOn(node.metadata.name)] as const;
  return usable.reduce<Node | undefined>((best, node) => {
    if (best === undefined) return node;
    const [zone, own] = rank(node);
    const [bestZone, bestOwn] = rank(best);
    if (zone !== bestZone) return zone < bestZone ? node : best;
    if (own !== bestOwn) return own < bestOwn ? node : best;
    return node.metadata.name < best.metadata.name ? node : best;
  }, undefined);
}

function zoneOf(node: Node): string {
  return node.metadata.labels?.[zoneLabel] ?? "";
}
