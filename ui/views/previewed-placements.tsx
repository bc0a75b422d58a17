import type { JSX } from "preact";
import { mostPlaced, type PreviewedPlacement } from "../model/placement-preview.ts";
import { zoneNameOf } from "../model/zones.ts";
import { plural } from "./format.ts";
import { nodeHref } from "./route.ts";
import { useStore } from "./use-store.ts";

/** The nodes that the Pods of a scale would get. */
export function PreviewedPlacements({
  placements,
  created,
}: {
  readonly placements: readonly PreviewedPlacement[];
  /** How many Pods there would be. */
  readonly created: number;
}): JSX.Element {
  const { nodes } = useStore().shown.collections;
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
              <th scope="row">
                <span class="name">{owner}</span>
              </th>
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
