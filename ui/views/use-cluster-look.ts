import { useMemo } from "preact/hooks";
import { type MapLayout, mapLayout, type MapRoom } from "../model/map-layout.ts";
import { isFiltering, podFilter } from "../model/pod-filter.ts";
import { groupKeyOf, type GroupBy } from "../model/pod-groups.ts";
import { lookClass, WorkloadColours } from "../model/workload-colours.ts";
import { type Zone, zonesOf } from "../model/zones.ts";
import type { PodLook } from "./node-tile.tsx";
import type { ClusterAddress } from "./route.ts";
import { useStore } from "./use-store.ts";

/** Live as long as the page, so that colours stay the same from view to view. */
export const coloursBy = {
  workload: new WorkloadColours(),
  namespace: new WorkloadColours(),
  state: new WorkloadColours(),
} satisfies Record<GroupBy, WorkloadColours>;

/** How large the map is drawn, and how its Pods look. */
export function useClusterLook(
  { filter, groupBy, density }: ClusterAddress,
  room: MapRoom,
): { readonly layout: MapLayout; readonly look: PodLook } {
  const { shown } = useStore();
  const zones = zonesOf(shown);
  const mostOn = (zone: Zone) =>
    zone.nodes.reduce((most, node) => Math.max(most, shown.podsByNode.in(node.metadata.name).length), 0);
  const content = { zones: zones.map((zone) => ({ nodes: zone.nodes.length, mostPods: mostOn(zone) })) };
  const layout = mapLayout(content, room, density === "" ? undefined : density);
  // The state is the same object as it changes: the workload of a Pod is another one once its ReplicaSet is known.
  const { ownersVersion } = shown;
  const isShown = useMemo(
    () => (isFiltering(filter) ? podFilter(filter, shown) : undefined),
    [shown, ownersVersion, JSON.stringify(filter)],
  );
  const isCounted = layout.density === "nodes" && isShown !== undefined;
  const mostShown = isCounted ? mostOfNode(zones, shown, isShown) : 1;
  const look = useMemo<PodLook>(
    () => ({
      state: shown,
      colourOf: (pod) => lookClass(coloursBy[groupBy].of(groupKeyOf(groupBy, pod, shown))),
      density: layout.density,
      isShown,
      mostShown,
    }),
    [shown, ownersVersion, isShown, groupBy, layout.density, mostShown],
  );
  return { layout, look };
}

/** The most Pods of a selection that one node has. */
function mostOfNode(
  zones: readonly Zone[],
  { podsByNode }: PodLook["state"],
  isShown: NonNullable<PodLook["isShown"]>,
): number {
  const counts = zones.flatMap(({ nodes }) =>
    nodes.map(({ metadata }) => podsByNode.in(metadata.name).filter(isShown).length),
  );
  return Math.max(1, ...counts);
}
