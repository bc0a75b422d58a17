import type { Pod } from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { isTerminal } from "../../../api/pod-state.ts";
import { formatTime, type Instant, parseTime } from "../../../api/time.ts";
import { isBeingDeleted, metadataOf, withMetadata } from "./object-meta.ts";
import type { Deletion } from "../request/delete-options.ts";
import { finalizersFor, markForDeletion } from "./deletion-marks.ts";
import type { DeletionPlan } from "./plan-deletion.ts";

/** Decides how a Pod goes: its kubelet gets time to end it, unless nothing runs. */
export function planPodDeletion(pod: Pod, deletion: Deletion, now: Instant): DeletionPlan {
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
