import type { Pod } from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Instant } from "../../../api/time.ts";
import { isBeingDeleted, metadataOf, withMetadata } from "./object-meta.ts";
import type { Deletion } from "../request/delete-options.ts";
import { finalizersFor, markForDeletion } from "./deletion-marks.ts";
import { planPodDeletion } from "./plan-pod-deletion.ts";

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
