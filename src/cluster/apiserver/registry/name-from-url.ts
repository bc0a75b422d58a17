import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { ApiRequest } from "../request/api-request.ts";
import { badRequest } from "../status-errors.ts";
import { metadataOf, withMetadata } from "./object-meta.ts";
import { omit } from "./pick-omit.ts";

/** Returns the object with the name and namespace of the URL; throws 400 when its own differ, or an update has no name. */
export function withNameFromUrl(object: JsonObject, request: ApiRequest): JsonObject {
  const metadata = metadataOf(object);
  const { name = "", namespace = "" } = metadata;
  const identity = { ...nameOf(name, request), ...namespaceOf(namespace, request) };
  if (metadata.name === identity.name && metadata.namespace === identity.namespace) return object;
  return withMetadata(object, { ...identity, ...omit(metadata, ["name", "namespace"]) });
}

/** Throws 400 when the body of a create at an object's subresource does not name that object. */
export function checkNamesObject(object: JsonObject, { name = "" }: ApiRequest, kind: string): void {
  if (metadataOf(object).name !== name) throw badRequest(`name in URL does not match name in ${kind} object`);
}

function nameOf(own: string, { verb, name = own }: ApiRequest): Pick<ObjectMeta, "name"> {
  if (own === "" && verb === "update")
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  if (own !== "" && own !== name)
    throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
  return name === "" ? {} : { name };
}

function namespaceOf(
  own: string,
  { verb, resource, namespace = "" }: ApiRequest,
): Pick<ObjectMeta, "namespace"> {
  const wanted = resource.namespaced ? namespace : "";
  if (own === "" || own === wanted) return wanted === "" ? {} : { namespace: wanted };
  throw badRequest(
    verb === "create"
      ? "the namespace of the provided object does not match the namespace sent on the request"
      : `the namespace of the object (${own}) does not match the namespace on the request (${wanted})`,
  );
}
