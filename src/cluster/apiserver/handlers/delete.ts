import { admitDelete } from "../admission/run-admission.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { deleteObject } from "../registry/delete-object.ts";
import { deletionOf } from "../request/delete-options.ts";
import { notFound } from "../status-errors.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
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
