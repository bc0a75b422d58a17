import type { JSX } from "preact";
import { groupBy, zoneSpreadOf, zonesOf } from "../model/zones.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { plural } from "./format.ts";
import { moveFocus } from "./move-focus.ts";
import { NodeTile, type PodLook } from "./node-tile.tsx";
import { useStore } from "./use-store.ts";

/** The Pods of one workload by zone and node; nodes without any are left out. */
export function WorkloadMap({
  pods,
  look,
  hasRevisions,
}: {
  readonly pods: readonly Pod[];
  readonly look: PodLook;
  /** Whether there are Pods of several revisions, which are told apart. */
  readonly hasRevisions: boolean;
}): JSX.Element {
  const { shown } = useStore();
  const { nodes } = shown.collections;
  const spread = zoneSpreadOf(pods, shown);
  const byNode = groupBy(pods, (pod) => pod.spec?.nodeName ?? "");
  const largest = Math.max(1, ...spread.perZone.values());
  const waiting = byNode.get("") ?? [];
  return (
    <div data-colour={hasRevisions ? "revision" : "state"}>
      <h2>
        {plural(pods.length, "Pod")} <span class="quiet">skew {spread.skew} between zones</span>
        {hasRevisions && (
          <span class="revision-key">
            <i class="pod s-ready r-new" aria-hidden="true" /> new revision
            <i class="pod s-ready r-old" aria-hidden="true" /> old revision
          </span>
        )}
      </h2>
      <div
        class="map"
        role="group"
        tabIndex={0}
        aria-label="Pods of the workload by zone and node; arrow keys move between them"
        onKeyDown={moveFocus}
      >
        {waiting.length > 0 && (
          <div class="zone-line">
            <span class="zone">no node</span>
            <NodeTile node={undefined} pods={waiting} look={look} />
          </div>
        )}
        {zonesOf(shown).map((zone) => (
          <div key={zone.name} class="zone-line">
            <span class="zone">{zone.name === "" ? "no zone" : zone.name}</span>
            <span class="zone-bar" aria-hidden="true">
              <i style={{ width: `${(100 * (spread.perZone.get(zone.name) ?? 0)) / largest}%` }} />
            </span>
            <span class="zone-pods">{spread.perZone.get(zone.name) ?? 0}</span>
            <ul class="nodes">
              {zone.nodes
                .filter(({ metadata }) => byNode.has(metadata.name))
                .map((node) => (
                  <NodeTile
                    key={node.metadata.name}
                    node={node}
                    pods={byNode.get(node.metadata.name) ?? []}
                    look={look}
                  />
                ))}
            </ul>
          </div>
        ))}
        {[...byNode.keys()].some((name) => name !== "" && !nodes.has(name)) && (
          <p class="quiet">Some Pods are on nodes that no longer exist.</p>
        )}
      </div>
    </div>
  );
}
