import { apiVersionOf } from "../../../api/resource.ts";
import type { ApiRequest } from "../api-request.ts";
import type { ApiResponse } from "../api-response.ts";
import { checkFields } from "../decoding/decode-body.ts";
import { badRequest, modified, notFound } from "../failures.ts";
import { served } from "../item.ts";
import { metadataOf } from "../metadata.ts";
import { applyPatch, readPatch } from "../patch/apply-patch.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { writeOptionsOf } from "../write-options.ts";
import { addressed } from "../writing/addressed.ts";
import { updateObject } from "../writing/update-object.ts";
import { requestKey } from "../stored-object.ts";

/** Changes an object, or its status, by a patch of its newest version. */
export async function patch(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "", subresource } = request;
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "PatchOptions");
  if (request.patch === undefined) throw badRequest("the request has no body");
  const body = readPatch(request.patch);
  const stored = collectionOf(context, resource).get(requestKey(request));
  if (stored === undefined) throw notFound(resource, name);
  const previous = served(resource, stored).object;
  const patched = applyPatch(previous, body, resource.type);
  const expected = { apiVersion: apiVersionOf(resource), kind: resource.kind, type: resource.type };
  const { object, warnings } = checkFields(patched, expected, {
    validation: fieldValidation,
    complaints: body.complaints,
    known: previous,
  });
  const { resourceVersion = "" } = metadataOf(object);
  if (resourceVersion !== "" && resourceVersion !== previous.metadata.resourceVersion)
    throw modified(resource, name);
  return updateObject(context, {
    request,
    stored,
    object: addressed(object, request),
    part: subresource === "status" ? "status" : "spec",
    dryRun,
    warnings,
  });
}
