import type { JSX } from "preact";
import type { ScaledObject } from "../../src/page/contract.ts";
import { countPods } from "../model/pod-state.ts";
import { podsOfScaled, scaledName, scaledPreview, type ScaledPreview } from "../model/scaled-objects.ts";
import { zoneSpreadOf } from "../model/zones.ts";
import { workloadHref } from "./route.ts";
import { useFrames } from "./use-store.ts";
import { useScaledObjects } from "./use-scaled-objects.ts";

const mostListed = 200;

/** The objects of custom kinds that have a scale. */
export function ScaledObjectsTable({ search }: { readonly search: string }): JSX.Element | null {
  const found = useScaledObjects();
  const { moment } = useFrames(500);
  if (found === undefined || moment !== undefined) return null;
  const objects = found.objects.filter(({ kind, namespace, name }) =>
    `${kind} ${namespace}/${name}`.toLowerCase().includes(search.trim().toLowerCase()),
  );
  return (
    <>
      {objects.length > 0 && (
        <section aria-label="Custom resources">
          <h2>Custom resources with a scale</h2>
          <div class="scroll" tabIndex={0} role="region" aria-label="Custom resources with a scale">
            <table>
              <thead>
                <tr>
                  <th scope="col">Object</th>
                  <th scope="col">Kind</th>
                  <th scope="col" class="number">
                    Desired
                  </th>
                  <th scope="col" class="number">
                    Reported
                  </th>
                  <th scope="col" class="number">
                    Ready
                  </th>
                  <th scope="col" class="number">
                    Skew
                  </th>
                  <th scope="col">A scale removes</th>
                </tr>
              </thead>
              <tbody>
                {objects.slice(0, mostListed).map((object) => (
                  <ScaledRow key={object.uid} object={object} />
                ))}
              </tbody>
            </table>
          </div>
          {objects.length > mostListed && (
            <p class="quiet">and {objects.length - mostListed} more: search for them</p>
          )}
        </section>
      )}
      {found.problems.map((problem) => (
        <p key={problem} class="quiet sentence-case">
          {problem}
        </p>
      ))}
    </>
  );
}

function ScaledRow({ object }: { readonly object: ScaledObject }): JSX.Element {
  const { shown } = useFrames(500);
  const pods = podsOfScaled(object, shown);
  return (
    <tr>
      <th scope="row">
        <a href={workloadHref(scaledName(object))}>
          {object.namespace !== "" && <span class="quiet">{object.namespace}/</span>}
          {object.name}
        </a>
      </th>
      <td>{object.kind}</td>
      <td class="number">{object.replicas ?? "–"}</td>
      <td class="number">{object.currentReplicas ?? "–"}</td>
      <td class="number">{pods === undefined ? "–" : countPods(pods).ready}</td>
      <td class="number">{pods === undefined ? "–" : zoneSpreadOf(pods, shown).skew}</td>
      <td class="sentence quiet">{orderText(scaledPreview(object, pods, shown))}</td>
    </tr>
  );
}

function orderText(preview: ScaledPreview): string {
  if (preview.kind === "unknown") return `not previewed: ${preview.why}`;
  const { kind, object } = preview.workload;
  return `by the order of ${kind} ${object.metadata.name}`;
}
