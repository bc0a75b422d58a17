import { invalid } from "../../../api/field-error.ts";
import type { JsonObject } from "../../../api/json.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import type { StoredJson } from "../../store/store.ts";
import type { ApiRequest } from "../api-request.ts";
import type { ApiResponse } from "../api-response.ts";
import { decodeBody } from "../decoding/decode-body.ts";
import { badRequest, conflict, invalidObject, modified, notFound } from "../failures.ts";
import { served } from "../item.ts";
import { metadataOf } from "../metadata.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { writeOptionsOf } from "../write-options.ts";
import { addressed } from "../writing/addressed.ts";
import { carryOver } from "../writing/carry-over.ts";
import { createObject } from "../writing/create-object.ts";
import { updateObject } from "../writing/update-object.ts";
import { requestKey } from "../stored-object.ts";

/** Replaces an object, or its status, by a body. */
export async function update(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, subresource } = request;
  const stored = collectionOf(context, resource).get(requestKey(request));
  if (stored === undefined) return createInstead(context, request);
  const previous = served(resource, stored).object;
  const { object, isProtobuf, ...rest } = sentObject(request, previous);
  refuseStale(resource, object, previous);
  return updateObject(context, {
    request,
    stored,
    object: isProtobuf ? carryOver(resource, object, previous) : object,
    part: subresource === "status" ? "status" : "spec",
    ...rest,
  });
}

/** Some kinds come into being by being updated. */
async function createInstead(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "", subresource } = request;
  const { object, dryRun, warnings } = sentObject(request);
  if (resource.manners.createOnUpdate !== true || subresource !== undefined) throw notFound(resource, name);
  return createObject(context, { request, object, dryRun, warnings });
}

function sentObject(request: ApiRequest, known?: JsonObject) {
  const { resource, body } = request;
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "UpdateOptions");
  if (body === undefined) throw badRequest("the request has no body");
  const expected = { apiVersion: apiVersionOf(resource), kind: resource.kind, type: resource.type };
  const checking = { validation: fieldValidation, ...(known !== undefined && { known }) };
  const decoded = decodeBody(body, expected, checking);
  return { ...decoded, object: addressed(decoded.object, request), dryRun };
}

/** Throws when the client has not seen the stored version, or another object of the name. */
function refuseStale(resource: ServedResource, object: JsonObject, { metadata: stored }: StoredJson): void {
  const { uid = "", resourceVersion = "" } = metadataOf(object);
  if (uid !== "" && uid !== stored.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored.uid}`;
    throw conflict(resource, stored.name, why);
  }
  if (resourceVersion === "" && resource.manners.unconditionalUpdate !== true) {
    throw invalidObject(resource, stored.name, [
      invalid("metadata.resourceVersion", 0, "must be specified for an update"),
    ]);
  }
  if (resourceVersion !== "" && resourceVersion !== stored.resourceVersion)
    throw modified(resource, stored.name);
}
