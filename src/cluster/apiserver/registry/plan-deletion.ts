import type { Pod } from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { isTerminal } from "../../../api/pod-state.ts";
import { formatTime, type Instant, parseTime } from "../../../api/time.ts";
import type { Deletion, Propagation } from "../request/delete-options.ts";
import { isBeingDeleted, metadataOf, withMetadata } from "./object-meta.ts";

/** What a deletion does to an object. */
export type DeletionPlan =
  | { readonly do: "remove" | "nothing" }
  /** `mark`: it stays until its kubelet or its finalizers let it go. `mark-and-remove`: watchers see both. */
  | { readonly do: "mark" | "mark-and-remove"; readonly object: JsonObject };

/** Decides how an object goes. */
export function planDeletion(object: JsonObject, deletion: Deletion, now: Instant): DeletionPlan {
  if (object["kind"] === "Pod") return planPodDeletion(object as unknown as Pod, deletion, now);
  if (isBeingDeleted(object)) return { do: "nothing" };
  const finalizers = finalizersFor(object, deletion.propagation);
  const next = markForDeletion(object, { at: now, graceSeconds: 0, finalizers });
  if (object["kind"] === "Namespace") return { do: "mark", object: terminating(next) };
  return finalizers.length === 0 ? { do: "remove" } : { do: "mark", object: next };
}

/** A namespace always stays first: whoever empties it finalizes it. */
function terminating(namespace: JsonObject): JsonObject {
  const { deletionGracePeriodSeconds: _none, ...metadata } = metadataOf(namespace);
  const status = { ...(namespace["status"] as JsonObject | undefined), phase: "Terminating" };
  return withMetadata({ ...namespace, status }, metadata);
}

/** Decides how a Pod goes: its kubelet gets time to end it, unless nothing runs. */
function planPodDeletion(pod: Pod, deletion: Deletion, now: Instant): DeletionPlan {
  const object = pod as unknown as JsonObject;
  if (isBeingDeleted(object)) return planSecondDeletion(object, deletion, now);
  const graceSeconds = graceOf(pod, deletion.gracePeriodSeconds);
  const finalizers = finalizersFor(object, deletion.propagation);
  const next = markForDeletion(object, { at: now + graceSeconds * 1000, graceSeconds, finalizers });
  return { do: graceSeconds > 0 || finalizers.length > 0 ? "mark" : "mark-and-remove", object: next };
}

function graceOf(pod: Pod, requested: number | undefined): number {
  const { nodeName = "", terminationGracePeriodSeconds = 0 } = pod.spec;
  // Nothing runs yet, or any more: there is nothing to wait for.
  if (nodeName === "" || isTerminal(pod)) return 0;
  return atLeastOneIfNegative(requested ?? terminationGracePeriodSeconds);
}

/** A Pod that is ending can be given less time, never more. */
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

/** The end moves forward with the grace, but not into the past: who is too late gets a second, or none if none was asked for. */
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

/** What an object whose deletion has begun carries. */
interface DeletionMarks {
  readonly at: Instant;
  readonly graceSeconds: number;
  readonly finalizers: readonly string[];
}

/** The object with what says that its deletion has begun. */
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

/** The object's finalizers, with the one that stands for the propagation asked for and without its opposite. */
function finalizersFor(object: JsonObject, propagation: Propagation | undefined): readonly string[] {
  const { finalizers = [] } = metadataOf(object);
  // Nothing asked for: a finalizer that is there already says how.
  if (propagation === undefined) return finalizers;
  const others = finalizers.filter((finalizer) => finalizer !== orphan && finalizer !== foreground);
  if (propagation === "Orphan") return [...others, orphan];
  return propagation === "Foreground" ? [...others, foreground] : others;
}
