import type { JsonObject } from "../../../api/json.ts";
import { formatTime, type Instant } from "../../../api/time.ts";
import { metadataOf, withMetadata } from "./object-meta.ts";
import type { Propagation } from "../request/delete-options.ts";

const orphan = "orphan";
const foreground = "foregroundDeletion";

/** What an object whose deletion has begun carries. */
export interface DeletionMarks {
  readonly at: Instant;
  readonly graceSeconds: number;
  readonly finalizers: readonly string[];
}

/** The object with what says that its deletion has begun. */
export function markForDeletion(
  object: JsonObject,
  { at, graceSeconds, finalizers }: DeletionMarks,
): JsonObject {
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
export function finalizersFor(object: JsonObject, propagation: Propagation | undefined): readonly string[] {
  const { finalizers = [] } = metadataOf(object);
  // Nothing asked for: a finalizer that is there already says how.
  if (propagation === undefined) return finalizers;
  const others = finalizers.filter((finalizer) => finalizer !== orphan && finalizer !== foreground);
  if (propagation === "Orphan") return [...others, orphan];
  return propagation === "Foreground" ? [...others, foreground] : others;
}
