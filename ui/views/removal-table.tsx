import type { JSX } from "preact";
import type { PreviewedRemoval } from "../model/scale-preview.ts";
import { zoneNameOf } from "../model/zones.ts";
import { podHref } from "./route.ts";
import { useStore } from "./use-store.ts";

const mostListed = 200;

/** The Pods that a scale would remove, in their order, each with its reason. */
export function RemovalTable({ removals }: { readonly removals: readonly PreviewedRemoval[] }): JSX.Element {
  const { shown } = useStore();
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Pods that would be removed">
      <table class="removals">
        <thead>
          <tr>
            <th scope="col" class="number">
              #
            </th>
            <th scope="col">Pod</th>
            <th scope="col">Node</th>
            <th scope="col">Zone</th>
            <th scope="col" class="number">
              Cost
            </th>
            <th scope="col">Label</th>
            <th scope="col">Why it goes</th>
          </tr>
        </thead>
        <tbody>
          {removals.slice(0, mostListed).map(({ pod, place, reason, deletionCost, isPreferred }) => (
            <tr key={pod.metadata.uid}>
              <td class="number">{place}</td>
              <th scope="row">
                <a href={podHref(pod)}>{pod.metadata.name}</a>
              </th>
              <td>
                <span class="name">{pod.spec?.nodeName ?? ""}</span>
              </td>
              <td class="zone-cell">
                <span class="name">{zoneNameOf(shown.collections.nodes.get(pod.spec?.nodeName ?? ""))}</span>
              </td>
              <td class="number">{deletionCost === 0 ? "" : deletionCost}</td>
              <td>{isPreferred ? "preferred" : ""}</td>
              <td class="sentence">{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {removals.length > mostListed && <p class="quiet">and {removals.length - mostListed} more</p>}
    </div>
  );
}
