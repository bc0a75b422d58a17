import { apiVersionOf } from "../../../api/resource.ts";
import type { ApiRequest } from "../api-request.ts";
import type { ApiResponse } from "../api-response.ts";
import { decodeBody } from "../decoding/decode-body.ts";
import { badRequest } from "../failures.ts";
import { metadataOf } from "../metadata.ts";
import type { ServerContext } from "../server-context.ts";
import { writeOptionsOf } from "../write-options.ts";
import { createObject } from "../writing/create-object.ts";

/** Creates an object from a body. */
export async function create(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, body } = request;
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "CreateOptions");
  if (body === undefined) throw badRequest("the request has no body");
  const expected = { apiVersion: apiVersionOf(resource), kind: resource.kind, type: resource.type };
  const { object, warnings } = decodeBody(body, expected, { validation: fieldValidation });
  const { resourceVersion = "" } = metadataOf(object);
  if (resourceVersion !== "") throw badRequest("resourceVersion should not be set on objects to be created");
  return createObject(context, { request, object, dryRun, warnings });
}
