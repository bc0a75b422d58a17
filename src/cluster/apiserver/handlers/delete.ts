import type { StoreRecord } from "../../store/store.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import { admitDelete } from "../admission/run-admission.ts";
import { deleteObject } from "../registry/delete-object.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { type Deletion, deletionOf } from "../request/delete-options.ts";
import { recordsInScope, selectionOf } from "../request/selection.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { notFound } from "../status-errors.ts";
import { toServed } from "../storage/served-object.ts";
import { requestKey } from "../storage/stored-object.ts";

/** Handles a delete of one object. */
export async function deleteOne(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "" } = request;
  const deletion = deletionOf(request);
  admitDelete(request);
  const record = collectionOf(context, resource).get(requestKey(request));
  if (record === undefined) throw notFound(resource, name);
  const review = reviewOf(context, request, deletion);
  return deleteObject(context, { resource, record, deletion, review });
}

function reviewOf({ webhooks }: ServerContext, request: ApiRequest, deletion: Deletion) {
  const { dryRun, propagation, ...rest } = deletion;
  const options = { ...rest, ...(propagation !== undefined && { propagationPolicy: propagation }) };
  return webhooks.reviewOf(request, "DELETE", { dryRun, options });
}

/** Deletes every selected object as a delete with the same options would; the response lists them. */
export async function deleteCollection(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, namespace } = request;
  const deletion = deletionOf(request);
  const selection = selectionOf(request);
  const records = [...recordsInScope(collectionOf(context, resource), selection, { namespace })].filter(
    (record) => selection.matches(toServed(resource, record).object),
  );
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

/** How many objects of a collection webhooks are asked about at a time. */
const reviewedAtOnce = 16;

/** Deletes objects that webhooks have to be asked about, a few at a time, so that no call waits for hundreds of others. */
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

/** An object that another client deleted while webhooks were asked is gone, as it should be. */
function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
