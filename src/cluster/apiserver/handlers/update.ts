import { extended } from "../../../api/extended.ts";
import { type FieldError, invalid } from "../../../api/field-error.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { StoredJson, StoreRecord } from "../../store/store.ts";
import { commitWithinQuotas } from "../admission/commit-admitted.ts";
import { admitUpdate } from "../admission/run-admission.ts";
import { checkSignerAccess } from "../auth/signer-access.ts";
import { decodePatched, decodeRequestBody, expectedKindOf } from "../decoding/decode-body.ts";
import type { ObjectUpdate } from "../kinds/kind-strategy.ts";
import { repeatedOwnerWarnings } from "../kinds/object-meta/owner-references.ts";
import type { FieldsEntry } from "../managed-fields/fields-entry.ts";
import { withManagedFieldsOf, withUpdater } from "../managed-fields/track-managed-fields.ts";
import { allocateForService } from "../registry/allocate-for-service.ts";
import { finishValidation } from "../registry/finish-validation.ts";
import { withNameFromUrl } from "../registry/name-from-url.ts";
import {
  draftOf,
  isUnchanged,
  keepExtensionFields,
  preparedBy,
  updateProblems,
  withGeneration,
  type Writable,
} from "../registry/next-version.ts";
import { isReadyForRemoval, metadataOf } from "../registry/object-meta.ts";
import { type ApiRequest, nextAttempt } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { writeOptionsOf } from "../request/write-options.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { invalidObject, notFoundError, optimisticLockConflict } from "../status-errors.ts";
import { commitPut, commitRemove, type WriteResult } from "../storage/commit.ts";
import { currentRecord, writeAhead } from "../storage/convert-ahead.ts";
import { toServed } from "../storage/served-object.ts";
import { checkIsLatest, isAnyVersion, isSuperseded } from "../storage/stored-object.ts";
import type { ReviewedObjects } from "../webhooks/admission-request.ts";
import type { Review } from "../webhooks/webhook-review.ts";
import { createObject, refusing } from "./create.ts";

/** Handles an update of an object or its status. */
export async function update(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, subresource } = request;
  const found = currentRecord(context, request);
  const stored = found instanceof Promise ? await found : found;
  if (stored === undefined) return createInstead(context, request);
  const previous = toServed(resource, stored).object;
  const { object, isProtobuf, ...rest } = sentObject(request, previous);
  warning(rest.warnings, () => checkVersion(resource, object, previous));
  return updateObject(context, {
    request,
    stored,
    object: isProtobuf ? keepExtensionFields(resource, object, previous) : object,
    writable: subresource === "status" ? "status" : "spec",
    retry: (again) => update(context, again),
    ...rest,
  });
}

/** Creates the object for kinds that allow it; throws 404 for the others. */
async function createInstead(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "", subresource } = request;
  const { object, dryRun, warnings } = sentObject(request);
  if (resource.strategy.createOnUpdate !== true || subresource !== undefined)
    throw notFoundError(resource, name);
  const retry = (again: ApiRequest) => update(context, again);
  return createObject(context, { request, object, dryRun, warnings, retry });
}

function sentObject(request: ApiRequest, known?: JsonObject) {
  const { resource } = request;
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "UpdateOptions");
  const options = { validation: fieldValidation, ...(known !== undefined && { known }) };
  const decoded = decodeRequestBody(request, expectedKindOf(resource), options);
  const { warnings, isProtobuf } = decoded;
  return { object: withNameFromUrl(decoded.object, request), warnings, isProtobuf, dryRun };
}

/** Performs a check; a refusal has the warnings about what was sent. */
function warning(warnings: readonly string[], check: () => void): void {
  try {
    check();
  } catch (error) {
    refusing(warnings)(error);
  }
}

/** Throws 409 when the client read another version, or another object of that name; 422 when it names no version. */
function checkVersion(resource: ServedResource, object: JsonObject, { metadata: stored }: StoredJson): void {
  const { uid = "", resourceVersion = "" } = metadataOf(object);
  checkIsLatest(resource, stored, { uid, resourceVersion });
  if (isAnyVersion(resourceVersion) && resource.strategy.unconditionalUpdate !== true) {
    // Named by its path, as by kube-apiserver.
    const { group, plural } = resource;
    throw invalidObject({ group, kind: plural }, stored.name, [
      invalid("metadata.resourceVersion", 0, "must be specified for an update"),
    ]);
  }
}

/** A decoded update: a PUT, a patch, an apply or a Scale. */
export interface Update {
  readonly request: ApiRequest;
  readonly stored: StoreRecord;
  /** The whole object, of the resource's kind; its system fields are ignored. */
  readonly object: JsonObject;
  /** The managed fields after an apply; otherwise the requester owns what it changed. */
  readonly entries?: readonly FieldsEntry[];
  readonly writable: Writable;
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
  /** For a subresource with its own kind, which mutating webhooks have reviewed already. */
  readonly reviewed?: ReviewedBody;
  /** Handles the request again when another write changed the object while webhooks were called. */
  readonly retry: (request: ApiRequest) => Promise<ApiResponse>;
}

/** Lets webhooks review the body of a subresource instead of the object. */
interface ReviewedBody {
  /** `undefined` when no webhook's rules match. */
  readonly review: Review | undefined;
  /** Returns the body for an object. */
  readonly view: (object: JsonObject) => JsonObject;
}

/**
 * Updates an object: defaults, admission, validation, commit; an update without a change is not committed. All of it
 * happens in the turn of the call, unless webhooks match or rules take long: when the stored object changes meanwhile, the
 * request is handled again.
 */
export function updateObject(context: ServerContext, sent: Update): Promise<ApiResponse> {
  const updated = updateDecoded(context, sent);
  return sent.warnings.length === 0 ? updated : updated.catch(refusing(sent.warnings));
}

async function updateDecoded(context: ServerContext, sent: Update): Promise<ApiResponse> {
  const { request, stored, writable } = sent;
  const { resource } = request;
  const occasion = { gates: context.gates(), now: context.clock.now(), requester: request.user };
  const previous = toServed(resource, stored).object;
  const review = reviewOf(context, sent);
  const draft = draftOf(resource, sent.object, previous);
  const own = preparedBy(resource, { next: draft, previous, writable }, occasion);
  const plain = admitted(context, sent, {
    next: withUpdater(context, sent, { next: own, previous }),
    previous,
  });
  const mutation = review && (await mutated(context, sent, { review, next: plain, previous }));
  const prepared = mutation && preparedBy(resource, { next: mutation, previous, writable }, occasion);
  const next = completed(context, sent, { next: prepared ?? plain, previous });
  const errors = updateProblems(resource, { next, previous, writable }, occasion);
  const approval = approved(context, sent, { next, previous, errors, review });
  const further = approval instanceof Promise ? await approval : approval;
  if (further === undefined) return retried(sent);
  const { item, durable, removed } = committed(context, sent, { next, previous });
  if (durable !== undefined) await durable;
  const warnings = [
    ...sent.warnings,
    ...repeatedOwnerWarnings(sent.object),
    ...further,
    ...(resource.strategy.warnings?.(next, occasion, previous) ?? []),
  ];
  return { kind: "object", code: 200, item, warnings, ...(removed && { removed }) };
}

interface Approval extends ObjectUpdate {
  readonly errors: readonly FieldError[];
  readonly review: Review | undefined;
}

/**
 * Finishes the validation of the next version, lets webhooks review it and converts it ahead; returns the warnings. It is a
 * promise if any of that took more than the turn of the call, of `undefined` if another write came in between.
 */
function approved(
  context: ServerContext,
  sent: Update,
  approval: Approval,
): readonly string[] | Promise<readonly string[] | undefined> {
  const { resource } = sent.request;
  const validation = finishValidation(context, resource, { ...approval, writable: sent.writable });
  const isSlow = approval.review !== undefined || resource.conversion?.ahead !== undefined;
  if (validation instanceof Promise || isSlow)
    return approvedLater(context, sent, { ...approval, validation });
  return validation;
}

async function approvedLater(
  context: ServerContext,
  sent: Update,
  {
    review,
    validation,
    next,
    previous,
  }: Approval & { readonly validation: ReturnType<typeof finishValidation> },
): Promise<readonly string[] | undefined> {
  const { resource } = sent.request;
  const further = await validation;
  if (review !== undefined) await review.validate(reviewedObjects(sent, { next, previous }));
  await writeAhead(resource, next);
  if (isSuperseded(context, resource, sent.stored)) return undefined;
  return [...(review?.warnings ?? []), ...further];
}

function reviewedObjects({ reviewed }: Update, { next, previous }: ObjectUpdate): ReviewedObjects {
  if (reviewed === undefined) return { object: next, oldObject: previous };
  return { object: reviewed.view(next), oldObject: reviewed.view(previous) };
}

/** Returns the next version as built-in plugins complete it. */
function admitted(context: ServerContext, { request, writable }: Update, change: ObjectUpdate): JsonObject {
  if (writable === "spec" && request.subresource === undefined) return admitUpdate(context, request, change);
  checkSignerAccess(context, request, change);
  return change.next;
}

function reviewOf({ webhooks }: ServerContext, { request, dryRun, reviewed }: Update): Review | undefined {
  return reviewed === undefined ? webhooks.reviewOf(request, "UPDATE", { dryRun }) : reviewed.review;
}

/**
 * Returns the next version as mutating webhooks leave it; those of a subresource with its own body were called before.
 */
async function mutated(
  context: ServerContext,
  sent: Update,
  { review, next, previous }: ObjectUpdate & { readonly review: Review },
): Promise<JsonObject> {
  const { resource } = sent.request;
  if (sent.reviewed !== undefined) return next;
  const expected = expectedKindOf(resource);
  return review.mutate({
    object: next,
    oldObject: previous,
    reinvoke: (changed) => admitted(context, sent, { next: changed, previous }),
    complete: (patched) =>
      withManagedFieldsOf(next, draftOf(resource, decodePatched(patched, expected, next), previous)),
  });
}

/** Returns the next version as it will be stored. */
function completed(context: ServerContext, { request, writable }: Update, change: ObjectUpdate): JsonObject {
  if (writable !== "spec") return change.next;
  const { resource } = request;
  const next = allocateForService(context, resource, change);
  return withGeneration(resource, { next, previous: change.previous });
}

function retried({ request, retry, stored }: Update): Promise<ApiResponse> {
  const next = nextAttempt(request);
  if (next === undefined) throw optimisticLockConflict(request.resource, stored.object.metadata.name);
  return retry(next);
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
  if (isUnchanged(resource, { next, previous }))
    // The wanted state is stored, perhaps by a commit that may still be lost.
    return { item: toServed(resource, stored), durable: context.store.flushed(), removed };
  const commit = writable === "spec" ? commitWithinQuotas : commitPut;
  return extended(commit(context, { resource, object: next, previous, dryRun }), { removed });
}
