import { invalid } from "../../../api/field-error.ts";
import type { JsonObject } from "../../../api/json.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import type { StoredJson } from "../../store/store.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { decodeBody } from "../decoding/decode-body.ts";
import { badRequest, conflict, invalidObject, optimisticLockConflict, notFound } from "../status-errors.ts";
import { toServed } from "../storage/served-object.ts";
import { metadataOf } from "../registry/object-meta.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { writeOptionsOf } from "../request/write-options.ts";
import { withNameFromUrl } from "../registry/name-from-url.ts";
import { keepExtensionFields } from "../registry/keep-extension-fields.ts";
import { createObject } from "../registry/create-object.ts";
import { updateObject } from "../registry/update-object.ts";
import { requestKey } from "../storage/stored-object.ts";

/** Replaces an object, or its status, by a body. */
export async function update(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, subresource } = request;
  const stored = collectionOf(context, resource).get(requestKey(request));
  if (stored === undefined) return createInstead(context, request);
  const previous = toServed(resource, stored).object;
  const { object, isProtobuf, ...rest } = sentObject(request, previous);
  refuseStale(resource, object, previous);
  return updateObject(context, {
    request,
    stored,
    object: isProtobuf ? keepExtensionFields(resource, object, previous) : object,
    writable: subresource === "status" ? "status" : "spec",
    ...rest,
  });
}

/** Some kinds come into being by being updated. */
async function createInstead(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "", subresource } = request;
  const { object, dryRun, warnings } = sentObject(request);
  if (resource.strategy.createOnUpdate !== true || subresource !== undefined) throw notFound(resource, name);
  return createObject(context, { request, object, dryRun, warnings });
}

function sentObject(request: ApiRequest, known?: JsonObject) {
  const { resource, body } = request;
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "UpdateOptions");
  if (body === undefined) throw badRequest("the request has no body");
  const expected = { apiVersion: apiVersionOf(resource), kind: resource.kind, type: resource.type };
  const checking = { validation: fieldValidation, ...(known !== undefined && { known }) };
  const decoded = decodeBody(body, expected, checking);
  return { ...decoded, object: withNameFromUrl(decoded.object, request), dryRun };
}

/** Throws when the client has not seen the stored version, or another object of the name. */
function refuseStale(resource: ServedResource, object: JsonObject, { metadata: stored }: StoredJson): void {
  const { uid = "", resourceVersion = "" } = metadataOf(object);
  if (uid !== "" && uid !== stored.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored.uid}`;
    throw conflict(resource, stored.name, why);
  }
  if (resourceVersion === "" && resource.strategy.unconditionalUpdate !== true) {
    throw invalidObject(resource, stored.name, [
      invalid("metadata.resourceVersion", 0, "must be specified for an update"),
    ]);
  }
  if (resourceVersion !== "" && resourceVersion !== stored.resourceVersion)
    throw optimisticLockConflict(resource, stored.name);
}
