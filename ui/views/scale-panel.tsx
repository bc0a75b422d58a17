import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { type PreviewedRemoval, previewScale, type ScalePreview } from "../model/scale-preview.ts";
import { desiredOf, type Workload } from "../model/workloads.ts";
import { zoneNameOf } from "../model/zones.ts";
import { ActionButton } from "./action-button.tsx";
import { workloadColours } from "./cluster-map.tsx";
import { plural } from "./format.ts";
import type { PodLook } from "./node-tile.tsx";
import { PreviewedPlacements } from "./previewed-placements.tsx";
import { podHref } from "./route.ts";
import { useFrames } from "./use-store.ts";
import { WorkloadMap } from "./workload-map.tsx";

export interface ScalePanelProps {
  readonly workload: Workload;
  readonly pods: readonly Pod[];
}

/** "Scale to N": marks the Pods that would go, in order, each with its reason, before anything is done. */
export function ScalePanel({ workload, pods }: ScalePanelProps): JSX.Element {
  const store = useFrames(250);
  const { shown, context } = store;
  const [wanted, setWanted] = useState<number>();
  const desired = desiredOf(workload);
  const replicas = wanted ?? desired;
  const preview =
    replicas === desired ? undefined : previewScale(workload, replicas, { objects: shown.objects, context });
  const marks = useMemo(() => new Map(preview?.removals.map(({ pod, place }) => [pod, place])), [preview]);
  const look: PodLook = { state: shown, colours: workloadColours, isShown: undefined, marks };
  const { namespace = "", name } = workload.object.metadata;
  const canPreview = !["Job", "StatefulSet", "DaemonSet"].includes(workload.kind);
  return (
    <section aria-label="Scale">
      {canPreview && (
        <div class="scale">
          <label for="scale-to">Scale to</label>
          <input
            type="range"
            aria-label="Scale to"
            min={0}
            max={Math.max(10, desired * 2)}
            value={replicas}
            onInput={({ currentTarget }) => setWanted(currentTarget.valueAsNumber)}
          />
          <input
            id="scale-to"
            type="number"
            min={0}
            value={replicas}
            onInput={({ currentTarget }) => setWanted(wholeNumber(currentTarget.value))}
          />
          <span class="quiet">now {desired}</span>
          <button
            type="button"
            class="small"
            disabled={replicas === desired}
            onClick={() => setWanted(undefined)}
          >
            Reset
          </button>
          <ActionButton
            label={`Scale to ${replicas}`}
            isDisabled={replicas === desired}
            action={{ action: "scale", kind: workload.kind, namespace, name, replicas }}
          />
        </div>
      )}
      {preview !== undefined && <Preview preview={preview} replicas={replicas} profile={context.profile} />}
      <WorkloadMap pods={pods} look={look} />
    </section>
  );
}

function wholeNumber(text: string): number | undefined {
  const value = Math.floor(Number(text));
  return text === "" || !Number.isFinite(value) || value < 0 ? undefined : Math.min(value, 100_000);
}

const mostListed = 200;

interface PreviewProps {
  readonly preview: ScalePreview;
  readonly replicas: number;
  readonly profile: string;
}

function Preview({ preview, replicas, profile }: PreviewProps): JSX.Element {
  const { removals, creations, because, held, pickers } = preview;
  const created = creations.reduce((sum, { count }) => sum + count, 0);
  const removed = removals.filter(({ isOpen }) => !isOpen).length;
  return (
    <div class="preview" aria-live="polite">
      <p class="headline">
        Scaled to {replicas} now,{" "}
        {removed > 0 ? `${plural(removed, "Pod")} would be removed` : "no Pod would be removed"}
        {created > 0 && `, ${created} would be created`}.
      </p>
      {profile !== "trimtab" && (
        <p class="quiet">By the order of kube-controller-manager 1.36, which leaves ties open.</p>
      )}
      {[...held, ...pickers].map((note) => (
        <p key={note} class="notice">
          {note}
        </p>
      ))}
      {because !== "" && <p class="quiet sentence-case">{because}.</p>}
      {removals.length > 0 && <RemovalTable removals={removals} />}
      {created > 0 && <PreviewedPlacements creations={creations} />}
    </div>
  );
}

function RemovalTable({ removals }: { readonly removals: readonly PreviewedRemoval[] }): JSX.Element {
  const { shown } = useFrames(250);
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
              <td>{pod.spec?.nodeName ?? ""}</td>
              <td class="zone-cell">{zoneNameOf(shown.collections.nodes.get(pod.spec?.nodeName ?? ""))}</td>
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
