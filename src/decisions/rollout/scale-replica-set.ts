import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { RolloutAction } from "./action.ts";
import {
  type Annotations,
  annotationsOf,
  beforeScaleAnnotation,
  countAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  withoutAnnotation,
} from "./annotations.ts";
import type { Budget } from "./budget.ts";
import { sizeOf } from "./counts.ts";
import type { Revisions } from "./revisions.ts";
import { withSettings } from "./settings-propagation.ts";

/** Scales a ReplicaSet and updates its annotations; no action when it has the size already. */
export function scaleTo(
  replicaSet: ReplicaSet,
  size: number,
  revisions: Revisions,
): readonly RolloutAction[] {
  return size === sizeOf(replicaSet) ? [] : scaleAndMark(replicaSet, { size }, revisions);
}

/**
 * The same, but also writes when only the annotations are out of date. A `partial` scale is one that terminating Pods
 * hold back: annotations keep the size and the proportion from which the ReplicaSet grows on.
 */
export function scaleAndMark(
  replicaSet: ReplicaSet,
  { size, partial = false }: { readonly size: number; readonly partial?: boolean },
  revisions: Revisions,
): readonly RolloutAction[] {
  const present = annotationsOf(replicaSet);
  const annotations = partial
    ? partialMarks(replicaSet, revisions.budget)
    : finalMarks(present, revisions.budget);
  const before = sizeOf(replicaSet);
  if (size === before && sameMarks(annotations, present)) return [];
  const resized = { ...replicaSet, metadata: { ...replicaSet.metadata, annotations } };
  if (size === before) return [{ kind: "update-replica-set", replicaSet: resized }];
  const scaled = { ...resized, spec: { ...resized.spec, replicas: size } };
  return [
    // In the same write, so that no Pod is chosen by outdated settings.
    { kind: "update-replica-set", replicaSet: withSettings(scaled, revisions) },
    scalingEvent(replicaSet.metadata.name, before, size),
  ];
}

/** The Event about the scale of a ReplicaSet. */
export function scalingEvent(name: string, from: number, to: number): RolloutAction {
  const direction = to > from ? "up" : "down";
  const message = `Scaled ${direction} replica set ${name} from ${from} to ${to}`;
  return { kind: "record-event", event: { type: "Normal", reason: "ScalingReplicaSet", message } };
}

/** The annotations with the Deployment's replicas at the time of a scale. */
export function sizeMarks({ replicas, maxReplicas }: Budget): Annotations {
  return { [desiredReplicasAnnotation]: String(replicas), [maxReplicasAnnotation]: String(maxReplicas) };
}

function finalMarks(present: Annotations, budget: Budget): Annotations {
  // While the feature gate is off the annotation of a partial scale is neither read nor removed.
  const kept = budget.tracksPartialScale ? withoutAnnotation(present, beforeScaleAnnotation) : present;
  return { ...kept, ...sizeMarks(budget) };
}

function partialMarks(replicaSet: ReplicaSet, budget: Budget): Annotations {
  const present = annotationsOf(replicaSet);
  const marks = { ...sizeMarks(budget), [beforeScaleAnnotation]: String(sizeOf(replicaSet)) };
  const outdated = Object.entries(marks).filter(([name]) => countAnnotation(replicaSet, name) === undefined);
  return { ...present, ...Object.fromEntries(outdated) };
}

function sameMarks(a: Annotations, b: Annotations): boolean {
  return [desiredReplicasAnnotation, maxReplicasAnnotation, beforeScaleAnnotation].every(
    (name) => a[name] === b[name],
  );
}
