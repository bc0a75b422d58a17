import type { CustomResourceDefinition } from "../../../api/generated/apiextensions-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Instant } from "../../../api/time.ts";
import { metadataOf, withMetadata } from "../registry/object-meta.ts";
import { withCondition } from "./definition-conditions.ts";

/** The finalizer of a definition whose objects are deleted first. */
const cleanup = "customresourcecleanup.apiextensions.k8s.io";

/** Returns a deleted definition as it stays until its objects are gone. */
export function awaitingCleanup(definition: JsonObject, now: Instant): JsonObject {
  const { finalizers = [], ...metadata } = metadataOf(definition);
  // The decoder has checked the status of a stored definition.
  const status = (definition["status"] ?? {}) as NonNullable<CustomResourceDefinition["status"]>;
  const conditions = withCondition(
    status.conditions ?? [],
    {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionPending",
      message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    },
    now,
  );
  const names = finalizers.includes(cleanup) ? finalizers : [...finalizers, cleanup];
  const next = { ...definition, status: { ...status, conditions } as unknown as JsonObject };
  return withMetadata(next, { ...metadata, finalizers: names });
}

/** Reports whether a deleted definition still has objects to delete. */
export function isBeingCleanedUp({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(cleanup);
}

/** Returns a definition whose objects are gone. */
export function withoutCleanup(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { finalizers = [], ...metadata } = definition.metadata;
  return {
    ...definition,
    metadata: { ...metadata, finalizers: finalizers.filter((name) => name !== cleanup) },
  };
}
