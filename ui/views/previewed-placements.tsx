import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { browserClock } from "../live/browser-clock.ts";
import { mostPlaced, previewPlacements } from "../model/placement-preview.ts";
import type { PreviewedCreation } from "../model/scale-preview.ts";
import { zoneNameOf } from "../model/zones.ts";
import { plural } from "./format.ts";
import { nodeHref } from "./route.ts";
import { useStore } from "./use-store.ts";

/** Comparing hundreds of nodes for each Pod takes longer than a frame: it is done this often at most. */
const everyMs = 2000;

/** The nodes that the Pods of a scale would get. */
export function PreviewedPlacements({
  creations,
}: {
  readonly creations: readonly PreviewedCreation[];
}): JSX.Element {
  const { shown, context, facts } = useStore();
  const profiles = facts?.schedulerProfiles ?? [];
  const { nodes } = shown.collections;
  const wanted = JSON.stringify(creations);
  const period = Math.floor(browserClock.elapsed() / everyMs);
  const placements = useMemo(
    () => previewPlacements(creations, { objects: shown.objects, context }, profiles),
    [wanted, period, shown],
  );
  const created = creations.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Where the new Pods would run">
      <table class="placements">
        <thead>
          <tr>
            <th scope="col" class="number">
              #
            </th>
            <th scope="col">New Pod of</th>
            <th scope="col">Node</th>
            <th scope="col">Zone</th>
            <th scope="col">Why there</th>
          </tr>
        </thead>
        <tbody>
          {placements.map(({ owner, node, asGood, reason }, index) => (
            <tr key={index}>
              <td class="number">{index + 1}</td>
              <th scope="row">{owner}</th>
              <td>
                {node === undefined ? "none" : <a href={nodeHref(node)}>{node}</a>}
                {asGood > 0 && <span class="quiet"> or {asGood} as good</span>}
              </td>
              <td class="zone-cell">{zoneNameOf(nodes.get(node ?? ""))}</td>
              <td class="sentence">{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {created > mostPlaced && (
        <p class="quiet">
          The first {plural(mostPlaced, "Pod")} of {created}.
        </p>
      )}
      <p class="quiet">
        One after the other, by the plugins of the scheduler. Of nodes that are as good it draws one.
        {placements.some(({ comparesSome }) => comparesSome) &&
          " It compares only some of the nodes, from where it stopped before: it may take another one."}
      </p>
    </div>
  );
}
