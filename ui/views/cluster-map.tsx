import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { unreachableAnnotation } from "../../src/api/well-known.ts";
import { isFiltering, noFilter, podFilter } from "../model/pod-filter.ts";
import { workloadNamed, podsOfWorkload, workloadText, workloadsOf } from "../model/workloads.ts";
import { WorkloadColours } from "../model/workload-colours.ts";
import { type Zone, zoneSpreadOf, zonesOf } from "../model/zones.ts";
import { ActionButton } from "./action-button.tsx";
import { ClusterLegend, ClusterToolbar, type ColourBy } from "./cluster-toolbar.tsx";
import { plural } from "./format.ts";
import { moveFocus } from "./move-focus.ts";
import { NodeTile, type PodLook } from "./node-tile.tsx";
import { useFrames } from "./use-store.ts";

/** Lives as long as the page, so that colours stay the same from view to view. */
export const workloadColours = new WorkloadColours();

/** Zones, their nodes, and the Pods on them. */
export function ClusterMap(): JSX.Element {
  const store = useFrames();
  const { shown } = store;
  const [filter, setFilter] = useState(noFilter);
  const [colourBy, setColourBy] = useState<ColourBy>("workload");
  const zones = zonesOf(shown);
  const workloads = workloadsOf(shown).map(({ kind, object }) => ({
    kind,
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name,
  }));
  // The state is the same object as it changes: the workload of a Pod is another one once its ReplicaSet is known.
  const { ownersVersion } = shown;
  const look = useMemo<PodLook>(
    () => ({
      state: shown,
      colours: workloadColours,
      isShown: isFiltering(filter) ? podFilter(filter, shown) : undefined,
    }),
    [shown, ownersVersion, filter],
  );
  const selected = workloads.find((each) => workloadText(each) === filter.workload);
  const workload = selected === undefined ? undefined : workloadNamed(selected, shown);
  const spread = zoneSpreadOf(
    workload === undefined ? shown.collections.pods.values() : podsOfWorkload(workload, shown),
    shown,
  );
  const largest = Math.max(1, ...spread.perZone.values());
  const waiting = shown.podsByNode.in("");
  return (
    <div class="cluster" data-colour={colourBy}>
      <h1 class="visually-hidden">Cluster</h1>
      <ClusterToolbar {...{ filter, setFilter, colourBy, setColourBy, workloads }} />
      <ClusterLegend colourBy={colourBy} workloads={workloads} colours={workloadColours} />
      {zones.length === 0 && store.connection.kind === "live" && (
        <p class="empty">
          {store.connection.refused.some(({ name }) => name === "nodes")
            ? "The nodes cannot be read, and Pods are shown on their nodes: Workloads has their numbers."
            : "The cluster has no nodes."}
        </p>
      )}
      {zones.length > 1 && (
        <p class="skew">
          {selected === undefined ? "All Pods" : selected.name}: skew <b>{spread.skew}</b> between{" "}
          {zones.length} zones
        </p>
      )}
      <div
        class="map"
        role="group"
        tabIndex={0}
        aria-label="Nodes and their Pods; arrow keys move between them"
        onKeyDown={moveFocus}
      >
        {waiting.length > 0 && (
          <section aria-label="Pods without a node">
            <h2 class="zone">
              No node <span class="quiet">{waiting.length}</span>
            </h2>
            <div class="nodes">
              <NodeTile node={undefined} pods={waiting} look={look} />
            </div>
          </section>
        )}
        {zones.map((zone) => (
          <section
            key={zone.name}
            aria-label={zone.name === "" ? "Nodes without a zone" : `Zone ${zone.name}`}
          >
            <ZoneHeading zone={zone} pods={spread.perZone.get(zone.name) ?? 0} largest={largest} />
            <ul class="nodes">
              {zone.nodes.map((node) => (
                <NodeTile
                  key={node.metadata.name}
                  node={node}
                  pods={shown.podsByNode.in(node.metadata.name)}
                  look={look}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

interface ZoneHeadingProps {
  readonly zone: Zone;
  /** The Pods that are counted in it, and the most in any zone. */
  readonly pods: number;
  readonly largest: number;
}

/** The name of a zone, and its Pods as a bar beside those of the others: skew is seen before it is read. */
function ZoneHeading({ zone, pods, largest }: ZoneHeadingProps): JSX.Element {
  const isFailed = zone.nodes.some((node) => node.metadata.annotations?.[unreachableAnnotation] === "true");
  return (
    <div class="zone-row">
      <h2 class="zone">{zone.name === "" ? "no zone" : zone.name}</h2>
      <span class="zone-bar" aria-hidden="true">
        <i style={{ width: `${(100 * pods) / largest}%` }} />
      </span>
      <span class="zone-pods">{plural(pods, "Pod")}</span>
      <span class="quiet">{plural(zone.nodes.length, "node")}</span>
      {zone.name !== "" && (
        <ActionButton
          label={isFailed ? "Restore zone" : "Fail zone"}
          action={isFailed ? { action: "restore", zone: zone.name } : { action: "fail", zone: zone.name }}
        />
      )}
    </div>
  );
}
