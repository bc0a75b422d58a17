import { admitDelete } from "../admit.ts";
import type { ApiRequest } from "../api-request.ts";
import type { ApiResponse } from "../api-response.ts";
import { deleteObject } from "../deletion/delete-object.ts";
import { deletionOf } from "../deletion/delete-options.ts";
import { notFound } from "../failures.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { requestKey } from "../stored-object.ts";

/** Deletes one object. */
export async function deleteOne(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "" } = request;
  const deletion = deletionOf(request);
  admitDelete(request);
  const record = collectionOf(context, resource).get(requestKey(request));
  if (record === undefined) throw notFound(resource, name);
  return deleteObject(context, { resource, record, deletion });
}
