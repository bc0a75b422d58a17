import { admitDelete } from "../admission/run-admission.ts";
import { deleteObject } from "../registry/delete-object.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { deletionOf } from "../request/delete-options.ts";
import { recordsInScope, selectionOf } from "../request/selection.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { notFound } from "../status-errors.ts";
import { toServed } from "../storage/served-object.ts";
import { requestKey } from "../storage/stored-object.ts";

/** Deletes one object. */
export async function deleteOne(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "" } = request;
  const deletion = deletionOf(request);
  admitDelete(request);
  const record = collectionOf(context, resource).get(requestKey(request));
  if (record === undefined) throw notFound(resource, name);
  return deleteObject(context, { resource, record, deletion });
}

/** Deletes all objects of a selection, each like one DELETE with the same options; the answer lists them. */
export async function deleteCollection(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, namespace } = request;
  const deletion = deletionOf(request);
  const selection = selectionOf(request);
  const records = [...recordsInScope(collectionOf(context, resource), selection, { namespace })].filter(
    (record) => selection.matches(toServed(resource, record).object),
  );
  // All in one turn: nobody can see half of it, and nothing can vanish between the list and its deletion.
  await Promise.all(records.map((record) => deleteObject(context, { resource, record, deletion })));
  return {
    kind: "list",
    resource,
    items: records.map((record) => toServed(resource, record)),
    metadata: { resourceVersion: String(context.store.revision()) },
  };
}
