import { invalid } from "../../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import type { StoredJson } from "../../store/store.ts";
import { decodeRequestBody, expectedKindOf } from "../decoding/decode-body.ts";
import { createObject } from "../registry/create-object.ts";
import { withNameFromUrl } from "../registry/name-from-url.ts";
import { metadataOf } from "../registry/object-meta.ts";
import { updateObject } from "../registry/update-object.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { writeOptionsOf } from "../request/write-options.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { invalidObject, notFound } from "../status-errors.ts";
import { toServed } from "../storage/served-object.ts";
import { checkIsLatest, requestKey } from "../storage/stored-object.ts";

/** Handles an update of an object or its status. */
export async function update(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, subresource } = request;
  const stored = collectionOf(context, resource).get(requestKey(request));
  if (stored === undefined) return createInstead(context, request);
  const previous = toServed(resource, stored).object;
  const { object, isProtobuf, ...rest } = sentObject(request, previous);
  checkVersion(resource, object, previous);
  return updateObject(context, {
    request,
    stored,
    object: isProtobuf ? keepExtensionFields(resource, object, previous) : object,
    writable: subresource === "status" ? "status" : "spec",
    retry: (again) => update(context, again),
    ...rest,
  });
}

/** Creates the object for kinds that allow it; throws 404 for the others. */
async function createInstead(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "", subresource } = request;
  const { object, dryRun, warnings } = sentObject(request);
  if (resource.strategy.createOnUpdate !== true || subresource !== undefined) throw notFound(resource, name);
  const retry = (again: ApiRequest) => update(context, again);
  return createObject(context, { request, object, dryRun, warnings, retry });
}

function sentObject(request: ApiRequest, known?: JsonObject) {
  const { resource } = request;
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "UpdateOptions");
  const options = { validation: fieldValidation, ...(known !== undefined && { known }) };
  const decoded = decodeRequestBody(request, expectedKindOf(resource), options);
  const { warnings, isProtobuf } = decoded;
  return { object: withNameFromUrl(decoded.object, request), warnings, isProtobuf, dryRun };
}

/** Throws 409 when the client read another version, or another object of that name; 422 when it names no version. */
function checkVersion(resource: ServedResource, object: JsonObject, { metadata: stored }: StoredJson): void {
  const { uid = "", resourceVersion = "" } = metadataOf(object);
  checkIsLatest(resource, stored, { uid, resourceVersion });
  if (resourceVersion === "" && resource.strategy.unconditionalUpdate !== true) {
    throw invalidObject(resource, stored.name, [
      invalid("metadata.resourceVersion", 0, "must be specified for an update"),
    ]);
  }
}

/**
 * Returns the object with the stored values of the fields that Kubernetes does not have. Protobuf cannot carry them: a
 * client that reads and writes an object in it would remove them without knowing.
 */
function keepExtensionFields(resource: ServedResource, object: JsonObject, stored: JsonObject): JsonObject {
  const names = resource.schema.extensionFields;
  const { spec } = object;
  const before = stored["spec"];
  if (names.length === 0 || !isJsonObject(spec) || !isJsonObject(before)) return object;
  const kept: Record<string, Json | undefined> = {};
  for (const name of names) {
    if (spec[name] === undefined && before[name] !== undefined) kept[name] = before[name];
  }
  return { ...object, spec: { ...spec, ...kept } };
}
