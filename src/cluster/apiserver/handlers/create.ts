import { decodeRequestBody, expectedKindOf } from "../decoding/decode-body.ts";
import { createObject } from "../registry/create-object.ts";
import { metadataOf } from "../registry/object-meta.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { writeOptionsOf } from "../request/write-options.ts";
import type { ServerContext } from "../server-context.ts";
import { badRequest } from "../status-errors.ts";

/** Handles a create. */
export async function create(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource } = request;
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "CreateOptions");
  const { object, warnings } = decodeRequestBody(request, expectedKindOf(resource), {
    validation: fieldValidation,
  });
  const { resourceVersion = "" } = metadataOf(object);
  if (resourceVersion !== "") throw badRequest("resourceVersion should not be set on objects to be created");
  return createObject(context, { request, object, dryRun, warnings });
}
