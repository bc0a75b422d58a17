import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { ScaledObject } from "../../src/page/contract.ts";
import { podsOfScaled, scaledName, scaledPreview } from "../model/scaled-objects.ts";
import type { WorkloadName } from "../model/workloads.ts";
import type { PodLook } from "./node-tile.tsx";
import { workloadHref } from "./route.ts";
import { ScalePanel } from "./scale-panel.tsx";
import { useFrames, useStore } from "./use-store.ts";
import { useScaledObjects } from "./use-scaled-objects.ts";
import { WorkloadMap } from "./workload-map.tsx";

/** An object of a custom kind: its sizes, its Pods, and what a scale of it would remove, as far as that is known. */
export function ScaledObjectView({ name }: { readonly name: WorkloadName }): JSX.Element {
  const found = useScaledObjects();
  const { moment } = useFrames(500);
  if (found === undefined) return <p class="quiet">Asking for it…</p>;
  const object = found.objects.find((each) => workloadHref(scaledName(each)) === workloadHref(name));
  if (object !== undefined && moment === undefined) return <ScaledObjectDetails object={object} />;
  if (moment !== undefined)
    return <p class="empty">Custom resources are shown as they are now, not as they were.</p>;
  return (
    <>
      <p class="empty">There is no such {name.kind} at this moment, or it has no scale.</p>
      {found.problems.map((problem) => (
        <p key={problem} class="quiet sentence-case">
          {problem}
        </p>
      ))}
    </>
  );
}

function ScaledObjectDetails({ object }: { readonly object: ScaledObject }): JSX.Element {
  const { shown } = useFrames(250);
  const pods = podsOfScaled(object, shown);
  const preview = scaledPreview(object, pods, shown);
  return (
    <>
      <dl class="facts">
        <Fact name="desired" value={String(object.replicas ?? "not said")} />
        <Fact name="reported" value={String(object.currentReplicas ?? "not said")} />
        <Fact name="selector of its Pods" value={object.selector ?? "not said"} />
      </dl>
      {preview.kind === "through" ? (
        <>
          <p class="sentence">
            Its Pods are those of{" "}
            <a
              href={workloadHref({
                kind: preview.workload.kind,
                namespace: object.namespace,
                name: preview.workload.object.metadata.name,
              })}
            >
              {preview.workload.kind} {preview.workload.object.metadata.name}
            </a>
            . If the controller of {object.kind} hands its size on, these would go:
          </p>
          <ScalePanel workload={preview.workload} pods={pods ?? []} isPreview />
        </>
      ) : (
        <>
          <p class="notice">A scale cannot be previewed: {preview.why}.</p>
          {pods !== undefined && pods.length > 0 && <PodMap pods={pods} />}
        </>
      )}
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function PodMap({ pods }: { readonly pods: readonly Pod[] }): JSX.Element {
  const { shown } = useStore();
  const look = useMemo<PodLook>(
    () => ({ state: shown, colourOf: () => "r-none", density: "cells", isShown: undefined }),
    [shown],
  );
  return <WorkloadMap pods={pods} look={look} hasRevisions={false} />;
}
