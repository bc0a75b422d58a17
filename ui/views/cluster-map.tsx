import type { JSX } from "preact";
import { unreachableAnnotation } from "../../src/api/well-known.ts";
import { type MapLayout, type MapRoom, tileWidth } from "../model/map-layout.ts";
import { groupsOf } from "../model/pod-groups.ts";
import { podsOfWorkload, workloadNamed, workloadOfText } from "../model/workloads.ts";
import { type Zone, zoneSpreadOf, zonesOf } from "../model/zones.ts";
import { ActionButton } from "./action-button.tsx";
import { ClusterLegend } from "./cluster-legend.tsx";
import { ClusterProblems } from "./cluster-problems-line.tsx";
import { ClusterToolbar } from "./cluster-toolbar.tsx";
import { plural } from "./format.ts";
import { moveFocus } from "./move-focus.ts";
import { NodeTile, type PodLook } from "./node-tile.tsx";
import { type ClusterAddress, clusterHref } from "./route.ts";
import { coloursBy, useClusterLook } from "./use-cluster-look.ts";
import { useFrames } from "./use-store.ts";
import { useRoom } from "./use-room.ts";

/** Zones, their nodes, and the Pods on them, as large as they fit. */
export function ClusterMap({ address }: { readonly address: ClusterAddress }): JSX.Element {
  const { shown } = useFrames();
  const change = (changed: Partial<ClusterAddress>) =>
    location.replace(clusterHref({ ...address, ...changed }));
  const { place, room } = useRoom();
  const { filter, groupBy } = address;
  const groups = groupsOf(groupBy, shown);
  const colours = coloursBy[groupBy];
  for (const { key } of groups) colours.of(key);
  const { layout, look } = useClusterLook(address, room);
  const named = workloadOfText(filter.workload);
  const workload = named === undefined ? undefined : workloadNamed(named, shown);
  const spread = zoneSpreadOf(
    workload === undefined ? shown.collections.pods.values() : podsOfWorkload(workload, shown),
    shown,
  );
  return (
    <div class="cluster" data-colour={groupBy} data-density={layout.density}>
      <h1 class="visually-hidden">Cluster</h1>
      <ClusterToolbar {...{ address, change }} />
      <ClusterLegend {...{ address, change, groups, colours, density: layout.density }} />
      <p class="skew">
        <Skew of={named?.name ?? "All Pods"} skew={spread.skew} zones={zonesOf(shown).length} />
        <ClusterProblems state={shown} address={address} />
      </p>
      <NoNodes />
      <div
        class="map"
        ref={place}
        role="group"
        tabIndex={0}
        aria-label="Nodes and their Pods; arrow keys move between them"
        style={styleOf(layout, room)}
        onKeyDown={moveFocus}
      >
        <WaitingPods look={look} />
        {zonesOf(shown).map((zone) => (
          <ZoneSection key={zone.name} {...{ zone, spread, look, layout }} />
        ))}
      </div>
    </div>
  );
}

/** Tiles with names grow until they fill the screen, where zones stand side by side. */
function styleOf(layout: MapLayout, room: MapRoom): Record<string, string | number> {
  const fills = layout.density === "names" && layout.columns > 1;
  return {
    "--cell": `${layout.cell}px`,
    "--columns": layout.columns,
    "--abreast": layout.abreast,
    "--tile": `${tileWidth(layout)}px`,
    ...(fills && { minHeight: `${room.height}px` }),
  };
}

interface SkewProps {
  readonly of: string;
  readonly skew: number;
  readonly zones: number;
}

function Skew({ of, skew, zones }: SkewProps): JSX.Element | null {
  if (zones < 2) return null;
  return (
    <span>
      {of}: skew <b>{skew}</b> between {zones} zones
    </span>
  );
}

/** Why the map is empty, if it is. */
function NoNodes(): JSX.Element | null {
  const { shown, connection } = useFrames(250);
  if (shown.collections.nodes.size > 0 || connection.kind !== "live") return null;
  return (
    <p class="empty">
      {connection.refused.some(({ name }) => name === "nodes")
        ? "The nodes cannot be read: their zones, room and conditions are not known, only their names."
        : "The cluster has no nodes."}
    </p>
  );
}

function WaitingPods({ look }: { readonly look: PodLook }): JSX.Element | null {
  const waiting = look.state.podsByNode.in("");
  if (waiting.length === 0) return null;
  return (
    <section class="waiting-pods" aria-label="Pods without a node">
      <h2 class="zone">
        No node <span class="quiet">{waiting.length}</span>
      </h2>
      <NodeTile node={undefined} pods={waiting} look={look} />
    </section>
  );
}

interface ZoneProps {
  readonly zone: Zone;
  readonly spread: ReturnType<typeof zoneSpreadOf>;
  readonly look: PodLook;
  readonly layout: MapLayout;
}

function ZoneSection({ zone, spread, look, layout }: ZoneProps): JSX.Element {
  const { podsByNode } = look.state;
  return (
    <section aria-label={zone.name === "" ? "Nodes without a zone" : `Zone ${zone.name}`}>
      <ZoneHeading
        zone={zone}
        pods={spread.perZone.get(zone.name) ?? 0}
        largest={Math.max(1, ...spread.perZone.values())}
      />
      <ul class={layout.density === "names" ? "nodes names" : "nodes"}>
        {zone.nodes.map((node) => (
          <NodeTile
            key={node.metadata.name}
            node={node}
            pods={podsByNode.in(node.metadata.name)}
            look={look}
          />
        ))}
      </ul>
    </section>
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
  const name = zone.name === "" ? "no zone" : zone.name;
  return (
    <div class="zone-row">
      <h2 class="zone" title={name}>
        {name}
      </h2>
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
