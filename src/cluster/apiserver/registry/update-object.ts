import { extended } from "../../../api/extended.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import type { FieldError } from "../../../api/field-error.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { ObjectUpdate, StrategyContext } from "../kinds/kind-strategy.ts";
import { repeatedOwnerWarnings } from "../kinds/object-meta/owner-references.ts";
import type { StoreRecord } from "../../store/store.ts";
import { commitWithinQuotas } from "../admission/commit-admitted.ts";
import { admitUpdate } from "../admission/run-admission.ts";
import { decodePatched, expectedKindOf } from "../decoding/decode-body.ts";
import type { FieldsEntry } from "../managed-fields/fields-entry.ts";
import { isUnchanged, withManagedFieldsOf, withUpdater } from "../managed-fields/track-managed-fields.ts";
import { type ApiRequest, nextAttempt } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { invalidObject, optimisticLockConflict } from "../status-errors.ts";
import { commitPut, commitRemove, type WriteResult } from "../storage/commit.ts";
import { toServed } from "../storage/served-object.ts";
import { isSuperseded } from "../storage/stored-object.ts";
import type { ReviewedObjects } from "../webhooks/admission-request.ts";
import type { Review } from "../webhooks/webhook-review.ts";
import { allocateForService } from "./allocate-for-service.ts";
import { isReadyForRemoval, metadataOf, withHead, withMetadata, withServerFields } from "./object-meta.ts";
import { omit } from "./pick-omit.ts";

/** How webhooks review the body of a subresource instead of the object. */
export interface ReviewedBody {
  /** `undefined` when no webhook's rules match. */
  readonly review: Review | undefined;
  /** The body for an object. */
  readonly view: (object: JsonObject) => JsonObject;
}

/** An update that is decoded. */
export interface Update {
  readonly request: ApiRequest;
  readonly stored: StoreRecord;
  /** The whole object, of the resource's kind; its system fields are ignored. */
  readonly object: JsonObject;
  /** The managed fields after an apply; otherwise the requester owns what it changed. */
  readonly entries?: readonly FieldsEntry[];
  /** What the request may change: everything but the status, or the status alone. */
  readonly writable: "spec" | "status";
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
  /** For a subresource with a kind of its own, which mutating webhooks have seen already. */
  readonly reviewed?: ReviewedBody;
  /** Handles the request anew: another write changed the object while webhooks were asked. */
  readonly retry: (request: ApiRequest) => Promise<ApiResponse>;
}

/**
 * Updates an object: defaults, admission, validation, commit; an update without a change is not committed. All in the turn
 * of the call, unless webhooks match: when the stored object changes while they are asked, the request is handled anew.
 */
export async function updateObject(context: ServerContext, update: Update): Promise<ApiResponse> {
  const { request, stored } = update;
  const { resource } = request;
  const occasion = { gates: context.gates(), now: context.clock.now() };
  const previous = toServed(resource, stored).object;
  const review = reviewOf(context, update);
  const sent = draftOf(request, update.object, previous);
  const draft = preparedBy(update, { next: sent, previous }, occasion);
  const tracked = withUpdater(context, update, { next: draft, previous });
  const plain = admitted(context, update, { next: tracked, previous });
  const mutation = review && (await mutated(context, update, { review, next: plain, previous }));
  const prepared =
    mutation === undefined ? plain : preparedBy(update, { next: mutation, previous }, occasion);
  const next = completed(context, update, { change: { next: prepared, previous }, occasion });
  if (review !== undefined) {
    await review.validate(reviewedObjects(update, { next, previous }));
    if (isSuperseded(context, resource, stored)) return retried(update);
  }
  const { item, durable, removed } = committed(context, update, { next, previous });
  if (durable !== undefined) await durable;
  const own = resource.strategy.warnings?.(next, occasion, previous) ?? [];
  const warnings = [...warningsOf(update, review), ...own];
  return { kind: "object", code: 200, item, warnings, ...(removed && { removed }) };
}

function warningsOf({ warnings, object }: Update, review: Review | undefined): readonly string[] {
  return [...warnings, ...repeatedOwnerWarnings(object), ...(review?.warnings ?? [])];
}

/** Commits the next version; removes an object that waited for this update, and writes nothing without a change. */
function committed(
  context: ServerContext,
  { request, stored, writable, dryRun }: Update,
  { next, previous }: ObjectUpdate,
): WriteResult & { readonly removed: boolean } {
  const { resource } = request;
  const removed = isReadyForRemoval(next);
  if (removed) return extended(commitRemove(context, { resource, object: next, dryRun }), { removed });
  if (isUnchanged(resource.schema, { next, previous }))
    // What the client wants is stored, perhaps by a commit that may still be lost.
    return { item: toServed(resource, stored), durable: context.store.flushed(), removed };
  const commit = writable === "spec" ? commitWithinQuotas : commitPut;
  return extended(commit(context, { resource, object: next, previous, dryRun }), { removed });
}

function reviewOf({ webhooks }: ServerContext, { request, dryRun, reviewed }: Update): Review | undefined {
  return reviewed === undefined ? webhooks.reviewOf(request, "UPDATE", { dryRun }) : reviewed.review;
}

function retried({ request, retry, stored }: Update): Promise<ApiResponse> {
  const next = nextAttempt(request);
  if (next === undefined) throw optimisticLockConflict(request.resource, stored.object.metadata.name);
  return retry(next);
}

/** The next version as built-in plugins complete it. */
function admitted(context: ServerContext, { request, writable }: Update, change: ObjectUpdate): JsonObject {
  return writable === "spec" && request.subresource === undefined
    ? admitUpdate(context, request, change)
    : change.next;
}

/** The next version as mutating webhooks leave it; for a subresource with a body of its own they have been asked already. */
async function mutated(
  context: ServerContext,
  update: Update,
  { review, next, previous }: ObjectUpdate & { readonly review: Review },
): Promise<JsonObject> {
  const { request } = update;
  if (update.reviewed !== undefined) return next;
  const expected = expectedKindOf(request.resource);
  return review.mutate({
    object: next,
    oldObject: previous,
    reinvoke: (changed) => admitted(context, update, { next: changed, previous }),
    complete: (patched) =>
      withManagedFieldsOf(next, draftOf(request, decodePatched(patched, expected, next), previous)),
  });
}

function reviewedObjects({ reviewed }: Update, { next, previous }: ObjectUpdate): ReviewedObjects {
  if (reviewed === undefined) return { object: next, oldObject: previous };
  return { object: reviewed.view(next), oldObject: reviewed.view(previous) };
}

/** The next version as it will be stored; throws 422 when it is invalid. */
function completed(
  context: ServerContext,
  update: Update,
  { change, occasion }: { readonly change: ObjectUpdate; readonly occasion: StrategyContext },
): JsonObject {
  const { resource } = update.request;
  const { previous } = change;
  const next =
    update.writable === "spec"
      ? withGeneration(resource, { next: allocateForService(context, resource, change), previous })
      : change.next;
  const errors = problemsOf(update, { next, previous }, occasion);
  if (errors.length > 0) throw invalidObject(resource, metadataOf(previous).name ?? "", errors);
  return next;
}

/** What the client sent, with stored system fields and the defaults of its kind. */
function draftOf({ resource }: ApiRequest, object: JsonObject, previous: JsonObject): JsonObject {
  const metadata = withServerFields(metadataOf(object), metadataOf(previous));
  const whole = withHead(resource, object, metadata);
  return resource.strategy.defaults?.(whole, previous) ?? whole;
}

/** The part of the next version that the request may change, on top of what is stored. */
function preparedBy(
  { request, writable }: Update,
  { next, previous }: ObjectUpdate,
  occasion: StrategyContext,
): JsonObject {
  const { strategy } = request.resource;
  if (writable === "status") {
    const change = { next, previous };
    return strategy.prepareForStatusUpdate?.(change, occasion) ?? statusOnly(change);
  }
  const kept = withStatusOf(next, previous);
  return strategy.prepareForUpdate?.({ next: kept, previous }, occasion) ?? kept;
}

function statusOnly({ next, previous }: ObjectUpdate): JsonObject {
  return withMetadata(withStatusOf(previous, next), metadataOf(next));
}

function withStatusOf(object: JsonObject, source: JsonObject): JsonObject {
  const { status } = source;
  return status === undefined ? omit(object, ["status"]) : { ...object, status };
}

function withGeneration({ strategy, schema }: ServedResource, { next, previous }: ObjectUpdate): JsonObject {
  if (strategy.generation === undefined) return next;
  const before = metadataOf(previous);
  const after = metadataOf(next);
  const changed =
    !schema.isSameIn(strategy.generation === "template" ? "template" : "spec", next, previous) ||
    (strategy.generation === "spec-and-annotations" &&
      !deepEqual(after.annotations ?? {}, before.annotations ?? {}));
  return changed ? withMetadata(next, { ...after, generation: (before.generation ?? 0) + 1 }) : next;
}

function problemsOf(
  { request, writable }: Update,
  change: ObjectUpdate,
  occasion: StrategyContext,
): readonly FieldError[] {
  const { strategy } = request.resource;
  if (writable === "status") return strategy.validateStatusUpdate?.(change, occasion) ?? [];
  return [
    ...(strategy.validate?.(change.next, occasion, change.previous) ?? []),
    ...(strategy.validateUpdate?.(change, occasion) ?? []),
  ];
}
