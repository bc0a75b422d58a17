import type { Pod } from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { isTerminal } from "../../../api/pod-state.ts";
import { formatTime, type Instant, parseTime } from "../../../api/time.ts";
import type { Deletion } from "../request/delete-options.ts";
import { awaitingCleanup } from "../custom-resources/definition-cleanup.ts";
import { metadataOf, withMetadata } from "./object-meta.ts";

/** The effect of a deletion on an object. */
export type DeletionPlan =
  | { readonly do: "remove" | "nothing" }
  /** `mark`: it stays until its kubelet has stopped it and its finalizers are removed. `mark-and-remove`: watches get both events. */
  | { readonly do: "mark" | "mark-and-remove"; readonly object: JsonObject };

/** Plans the deletion of an object. */
export function planDeletion(object: JsonObject, deletion: Deletion, now: Instant): DeletionPlan {
  if (object["kind"] === "Pod") return planPodDeletion(object as unknown as Pod, deletion, now);
  if (isBeingDeleted({ metadata: metadataOf(object) })) return { do: "nothing" };
  const finalizers = finalizersFor(object, deletion);
  if (object["kind"] === "CustomResourceDefinition") {
    // upstream: its generation stays as it is.
    const marked = withMetadata(object, { ...metadataOf(object), deletionTimestamp: formatTime(now) });
    return { do: "mark", object: awaitingCleanup(marked, now) };
  }
  const next = markForDeletion(object, { at: now, graceSeconds: 0, finalizers });
  if (object["kind"] === "Namespace") return { do: "mark", object: terminating(next) };
  return finalizers.length === 0 ? { do: "remove" } : { do: "mark", object: next };
}

/**
 * Returns the namespace in its Terminating phase; it stays until the namespace controller has emptied and finalized it.
 */
function terminating(namespace: JsonObject): JsonObject {
  const { deletionGracePeriodSeconds: _none, ...metadata } = metadataOf(namespace);
  const status = { ...(namespace["status"] as JsonObject | undefined), phase: "Terminating" };
  return withMetadata({ ...namespace, status }, metadata);
}

/** Plans the deletion of a Pod: its kubelet gets the grace period, unless no container can run. */
function planPodDeletion(pod: Pod, deletion: Deletion, now: Instant): DeletionPlan {
  const object = pod as unknown as JsonObject;
  if (isBeingDeleted(pod)) return planSecondDeletion(object, deletion, now);
  const graceSeconds = graceOf(pod, deletion.gracePeriodSeconds);
  const finalizers = finalizersFor(object, deletion);
  const next = markForDeletion(object, { at: now + graceSeconds * 1000, graceSeconds, finalizers });
  return { do: graceSeconds > 0 || finalizers.length > 0 ? "mark" : "mark-and-remove", object: next };
}

function graceOf(pod: Pod, requested: number | undefined): number {
  const { nodeName = "", terminationGracePeriodSeconds = 0 } = pod.spec;
  // No container runs yet, or any more.
  if (nodeName === "" || isTerminal(pod)) return 0;
  return atLeastOneIfNegative(requested ?? terminationGracePeriodSeconds);
}

/** Plans a second delete, which can shorten the grace period but never extend it. */
function planSecondDeletion(object: JsonObject, deletion: Deletion, now: Instant): DeletionPlan {
  const { finalizers = [], deletionGracePeriodSeconds: current = 0 } = metadataOf(object);
  const isHeld = finalizers.length > 0;
  if (current === 0) return { do: isHeld ? "nothing" : "remove" };
  const wanted = atLeastOneIfNegative(deletion.gracePeriodSeconds ?? current);
  if (wanted >= current) return { do: "nothing" };
  const next = shortened(object, wanted, now);
  const isOver = metadataOf(next).deletionGracePeriodSeconds === 0;
  return { do: isOver && !isHeld ? "mark-and-remove" : "mark", object: next };
}

/** Moves the deletion time with the grace period, but not into the past: then the Pod gets one second, or none if 0 was asked. */
function shortened(object: JsonObject, wantedSeconds: number, now: Instant): JsonObject {
  const metadata = metadataOf(object);
  const begun =
    (parseTime(metadata.deletionTimestamp) ?? now) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const end = begun + wantedSeconds * 1000;
  const isPast = end < now;
  return withMetadata(object, {
    ...metadata,
    deletionTimestamp: formatTime(isPast ? now : end),
    deletionGracePeriodSeconds: isPast ? Math.min(wantedSeconds, 1) : wantedSeconds,
  });
}

function atLeastOneIfNegative(graceSeconds: number): number {
  return graceSeconds < 0 ? 1 : graceSeconds;
}

const orphan = "orphan";
const foreground = "foregroundDeletion";

/** The metadata that marks an object for deletion. */
interface DeletionMarks {
  readonly at: Instant;
  readonly graceSeconds: number;
  readonly finalizers: readonly string[];
}

/** Returns the object marked for deletion. */
function markForDeletion(object: JsonObject, { at, graceSeconds, finalizers }: DeletionMarks): JsonObject {
  const { finalizers: _former, ...metadata } = metadataOf(object);
  const { generation = 0 } = metadata;
  return withMetadata(object, {
    ...metadata,
    ...(finalizers.length > 0 && { finalizers }),
    deletionTimestamp: formatTime(at),
    deletionGracePeriodSeconds: graceSeconds,
    ...(generation > 0 && { generation: generation + 1 }),
  });
}

/** Returns the object's finalizers, with that of the propagation policy and without those of other policies. */
function finalizersFor(
  object: JsonObject,
  { propagation, orphansByDefault = false }: Deletion,
): readonly string[] {
  const { finalizers = [] } = metadataOf(object);
  // Without a policy a finalizer that is there already decides, then the kind.
  if (propagation === undefined) {
    const isDecided = finalizers.includes(orphan) || finalizers.includes(foreground);
    return orphansByDefault && !isDecided ? [...finalizers, orphan] : finalizers;
  }
  const others = finalizers.filter((finalizer) => finalizer !== orphan && finalizer !== foreground);
  if (propagation === "Orphan") return [...others, orphan];
  return propagation === "Foreground" ? [...others, foreground] : others;
}
