import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import type { PickerQuestion } from "../../src/page/contract.ts";
import {
  type AnswersByOwner,
  type PreviewedRemoval,
  previewScale,
  type ScalePreview,
} from "../model/scale-preview.ts";
import { desiredOf, type Workload } from "../model/workloads.ts";
import { plural } from "./format.ts";
import type { PodLook } from "./node-tile.tsx";
import { PickerNotice } from "./picker-notice.tsx";
import { PreviewedPlacements } from "./previewed-placements.tsx";
import { RemovalTable } from "./removal-table.tsx";
import { ScaleControls } from "./scale-controls.tsx";
import { ScaleSummary } from "./scale-summary.tsx";
import { usePreviewedPlacements } from "./use-previewed-placements.ts";
import { useFrames, useStore } from "./use-store.ts";
import { WorkloadMap } from "./workload-map.tsx";

export interface ScalePanelProps {
  readonly workload: Workload;
  readonly pods: readonly Pod[];
  /** The roles of its ReplicaSets by name, where it has several. */
  readonly roles?: ReadonlyMap<string, "new" | "old">;
  /** Whether another controller sets its size: there is no button to do that here. */
  readonly isPreview?: boolean;
}

const noRoles: ReadonlyMap<string, "new" | "old"> = new Map();

/** "Scale to N": marks the Pods that would go, in order, each with its reason, before anything is done. */
export function ScalePanel({
  workload,
  pods,
  roles = noRoles,
  isPreview = false,
}: ScalePanelProps): JSX.Element {
  const { shown, context } = useFrames(250);
  const [wanted, setWanted] = useState<number>();
  const [answered, setAnswered] = useState<Answered>();
  const desired = desiredOf(workload);
  const replicas = wanted ?? desired;
  const { namespace = "", name } = workload.object.metadata;
  const question = { kind: workload.kind, namespace, name, replicas };
  const input = { objects: shown.objects, context, answers: answersFor(replicas, answered) };
  const preview = replicas === desired ? undefined : previewScale(workload, replicas, input);
  const look = useLook(preview?.removals, roles);
  const map = <WorkloadMap pods={pods} look={look} hasRevisions={roles.size > 1} />;
  return (
    <section aria-label="Scale">
      {isScalable(workload) && <ScaleControls {...{ question, desired, setWanted, isPreview }} />}
      {preview === undefined ? (
        map
      ) : (
        <Preview
          {...{ preview, question, pods, map }}
          answered={(answers) => setAnswered({ replicas, answers })}
        />
      )}
    </section>
  );
}

/** What the pickers answered, and for which size they were asked. */
interface Answered {
  readonly replicas: number;
  readonly answers: AnswersByOwner;
}

function answersFor(replicas: number, answered: Answered | undefined): AnswersByOwner {
  return answered?.replicas === replicas ? answered.answers : {};
}

function isScalable({ kind }: Workload): boolean {
  return !["Job", "DaemonSet"].includes(kind);
}

/** How the map shows the Pods that would go, and to which revision each belongs. */
function useLook(
  removals: readonly PreviewedRemoval[] = [],
  roles: NonNullable<ScalePanelProps["roles"]>,
): PodLook {
  const { shown } = useStore();
  // The removals are other objects every time, and mean the same for as long as the same Pods go.
  const marked = removals.map(({ pod, place }) => `${pod.metadata.uid} ${place}`).join();
  return useMemo<PodLook>(
    () => ({
      state: shown,
      colourOf: (pod) => `r-${roles.get(controllerOf(pod)?.name ?? "") ?? "none"}`,
      density: "cells",
      isShown: undefined,
      marks: new Map(removals.map(({ pod, place }) => [pod, place])),
    }),
    [shown, marked, JSON.stringify([...roles])],
  );
}

interface PreviewProps {
  readonly preview: ScalePreview;
  readonly question: PickerQuestion;
  readonly pods: readonly Pod[];
  readonly map: JSX.Element;
  readonly answered: (answers: AnswersByOwner) => void;
}

/** The end of a scale first, then the map, then every Pod with its reason. */
function Preview({ preview, question, pods, map, answered }: PreviewProps): JSX.Element {
  const { removals, creations, held, pickers } = preview;
  const placements = usePreviewedPlacements(creations);
  const created = creations.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <div class="preview" aria-live="polite">
        <PreviewHead {...{ preview, created }} replicas={question.replicas} />
        <ScaleSummary {...{ preview, placements, pods }} />
        {held.map((note) => (
          <p key={note} class="notice">
            {note}
          </p>
        ))}
        {pickers.map((picker) => (
          <PickerNotice key={picker.owner} {...{ picker, question, answered }} />
        ))}
      </div>
      {map}
      {removals.length > 0 && <RemovalTable removals={removals} />}
      {created > 0 && <PreviewedPlacements placements={placements} created={created} />}
    </>
  );
}

interface HeadProps {
  readonly preview: ScalePreview;
  readonly replicas: number;
  readonly created: number;
}

/** What a scale would do, in a sentence. */
function PreviewHead({ preview: { removals, because }, replicas, created }: HeadProps): JSX.Element {
  const { profile } = useStore().context;
  const removed = removals.filter(({ isOpen }) => !isOpen).length;
  return (
    <>
      <p class="headline">
        Scaled to {replicas} now,{" "}
        {removed > 0 ? `${plural(removed, "Pod")} would be removed` : "no Pod would be removed"}
        {created > 0 && `, ${created} would be created`}.
      </p>
      {profile !== "trimtab" && (
        <p class="quiet">By the order of kube-controller-manager 1.36, which leaves ties open.</p>
      )}
      {because !== "" && <p class="quiet sentence-case">{because}.</p>}
    </>
  );
}
