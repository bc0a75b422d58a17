import type { Status } from "../../../api/generated/meta-v1.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { StoredJson, StoreRecord } from "../../store/store.ts";
import { admitDelete } from "../admission/run-admission.ts";
import { metadataOf } from "../registry/object-meta.ts";
import { planDeletion } from "../registry/plan-deletion.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { type Deletion, deletionOf } from "../request/delete-options.ts";
import { recordsInScope, requestSelection } from "../request/selection.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { notFoundError, optimisticLockConflict } from "../status-errors.ts";
import { commitPut, commitRemove, type WriteResult } from "../storage/commit.ts";
import { currentRecord, readAhead } from "../storage/convert-ahead.ts";
import { type ServedObject, toServed, withBytes } from "../storage/served-object.ts";
import { checkPreconditions } from "../storage/stored-object.ts";
import type { Review } from "../webhooks/webhook-review.ts";

/** Handles a delete of one object. */
export async function deleteOne(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "" } = request;
  const deletion = deletionOf(request);
  admitDelete(request);
  const found = currentRecord(context, request);
  const record = found instanceof Promise ? await found : found;
  if (record === undefined) throw notFoundError(resource, name);
  const review = reviewOf(context, request, deletion);
  return deleteObject(context, { resource, record, deletion, review });
}

function reviewOf({ webhooks }: ServerContext, request: ApiRequest, deletion: Deletion) {
  return webhooks.reviewOf(request, "DELETE", {
    dryRun: deletion.dryRun,
    options: () => deleteOptions(deletion),
  });
}

function deleteOptions({ dryRun: _dryRun, propagation, ...rest }: Deletion): object {
  return { ...rest, ...(propagation !== undefined && { propagationPolicy: propagation }) };
}

/** Deletes every selected object as a delete with the same options would; the response lists them. */
export async function deleteCollection(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, namespace } = request;
  const deletion = deletionOf(request);
  const selection = requestSelection(request);
  const inScope = [...recordsInScope(collectionOf(context, resource), selection, { namespace })];
  const converted = readAhead(resource, inScope);
  if (converted !== undefined) await converted;
  const records = inScope.filter((record) => selection.matches(toServed(resource, record).object));
  if (reviewOf(context, request, deletion) === undefined)
    // In one turn of the event loop: no client sees half of it, and no object vanishes between list and deletion.
    await Promise.all(records.map((record) => deleteObject(context, { resource, record, deletion })));
  else await deleteReviewed(context, request, { records, deletion });
  return {
    kind: "list",
    resource,
    items: records.map((record) => toServed(resource, record)),
    metadata: { resourceVersion: String(context.store.revision()) },
  };
}

/** Limits how many objects of a collection webhooks review concurrently. */
const reviewedAtOnce = 16;

/** Deletes objects that webhooks have to review, a few at a time, so that no call waits for hundreds of others. */
async function deleteReviewed(
  context: ServerContext,
  request: ApiRequest,
  { records, deletion }: { readonly records: readonly StoreRecord[]; readonly deletion: Deletion },
): Promise<void> {
  const { resource } = request;
  for (let start = 0; start < records.length; start += reviewedAtOnce) {
    const batch = records.slice(start, start + reviewedAtOnce).map(async (record) => {
      const review = reviewOf(context, request, deletion);
      await deleteObject(context, { resource, record, deletion, review }).catch(ignoreNotFound);
    });
    const results = await Promise.allSettled(batch);
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }
}

/** Ignores that another client deleted the object while webhooks were called. */
function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

/** An object to delete, and the options of the delete. */
interface DeletionRequest {
  readonly resource: ServedResource;
  readonly record: StoreRecord;
  readonly deletion: Deletion;
  /** The webhooks that are called first; `undefined` when none matches. */
  readonly review?: Review | undefined;
}

/** Deletes an object, or marks it for deletion where finalizers or a kubelet have to act first. */
export async function deleteObject(context: ServerContext, request: DeletionRequest): Promise<ApiResponse> {
  const { resource } = request;
  const { orphansByDefault = false, deleteWarning } = resource.strategy;
  const deletion = { ...request.deletion, orphansByDefault };
  const { review } = request;
  const record =
    review === undefined ? request.record : await reviewed(context, { ...request, deletion, review });
  checkPreconditions(resource, record, deletion.preconditions ?? {});
  const plain = asStored(resource);
  const performed = await perform(context, { resource: plain, deletion }, toServed(plain, record));
  const answer = plain === resource ? performed : await convertedAnswer(resource, performed);
  const isDefault = deletion.propagation === undefined && deleteWarning !== undefined;
  const warnings = [...(review?.warnings ?? []), ...(isDefault ? [deleteWarning] : [])];
  return warnings.length > 0 ? { ...answer, warnings } : answer;
}

/**
 * Returns a resource whose objects are deleted in the form in which they are stored, where a webhook would have to convert
 * them: a deletion changes nothing but metadata.
 */
function asStored(resource: ServedResource): ServedResource {
  const { conversion, ...rest } = resource;
  return conversion?.ahead === undefined ? resource : rest;
}

/** Returns an answer whose object is in the version of the request. */
async function convertedAnswer(resource: ServedResource, answer: ApiResponse): Promise<ApiResponse> {
  if (answer.kind !== "object") return answer;
  const { conversion } = resource;
  const { object } = answer.item;
  await conversion?.ahead?.([object], "served");
  const served = conversion?.fromStorage(object) ?? object;
  return { ...answer, item: withBytes(served as StoredJson) };
}

/** How often webhooks are called again because the object changed meanwhile. */
const mostReviews = 6;

/**
 * Lets webhooks review the deletion, again for the newest version when another write came in between; returns the
 * version that they allowed. Throws 404 when the object was deleted meanwhile.
 */
async function reviewed(
  context: ServerContext,
  { resource, record, deletion, review }: DeletionRequest & { readonly review: Review },
): Promise<StoreRecord> {
  let current = record;
  for (let attempt = 0; attempt < mostReviews; attempt++) {
    checkPreconditions(resource, current, deletion.preconditions ?? {});
    await readAhead(resource, [current]);
    const { object } = toServed(resource, current);
    // Webhooks do not review an object that is being deleted already, as upstream.
    if (planDeletion(object, deletion, context.clock.now()).do === "nothing") return current;
    await review.check({ oldObject: object });
    const newest = collectionOf(context, resource).get(current.key);
    if (newest === undefined) throw notFoundError(resource, object.metadata.name);
    if (newest.revision === current.revision) return current;
    current = newest;
  }
  throw optimisticLockConflict(resource, current.object.metadata.name);
}

async function perform(
  context: ServerContext,
  { resource, deletion }: Pick<DeletionRequest, "resource" | "deletion">,
  current: ServedObject,
): Promise<ApiResponse> {
  const plan = planDeletion(current.object, deletion, context.clock.now());
  const { dryRun } = deletion;
  switch (plan.do) {
    case "nothing": {
      // It is being deleted already, perhaps by a commit that may still be lost.
      const waits = context.store.flushed();
      if (waits !== undefined) await waits;
      return stillThere(current, deletion);
    }
    case "mark": {
      const written = commitPut(context, { resource, object: plan.object, dryRun });
      await written.durable;
      return stillThere(written.item, deletion);
    }
    case "mark-and-remove": {
      const { item } = commitPut(context, { resource, object: plan.object, dryRun });
      return removedResponse(resource, commitRemove(context, { resource, object: item.object, dryRun }));
    }
    case "remove":
      return removedResponse(resource, commitRemove(context, { resource, object: current.object, dryRun }));
  }
}

function stillThere(item: ServedObject, { orphanDependents }: Deletion): ApiResponse {
  return { kind: "object", code: orphanDependents === false ? 202 : 200, item };
}

async function removedResponse(
  resource: ServedResource,
  { item, durable }: WriteResult,
): Promise<ApiResponse> {
  await durable;
  if (resource.strategy.returnsObjectOnDelete === true)
    return { kind: "object", code: 200, item, removed: true };
  return { kind: "status", code: 200, status: successStatusOf(resource, item) };
}

function successStatusOf(resource: ServedResource, { object }: ServedObject): Status {
  const { name = "", uid = "" } = metadataOf(object);
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(resource.group !== "" && { group: resource.group }), kind: resource.plural, uid },
  };
}
