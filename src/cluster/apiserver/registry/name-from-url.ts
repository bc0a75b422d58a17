import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { ApiRequest } from "../request/api-request.ts";
import { badRequest } from "../status-errors.ts";
import { metadataOf, withMetadata } from "./object-meta.ts";
import { omit } from "./pick-omit.ts";

/** The object with the name and namespace of the URL it was sent to; throws 400 when it says otherwise. */
export function withNameFromUrl(object: JsonObject, request: ApiRequest): JsonObject {
  const metadata = metadataOf(object);
  const { name = "", namespace = "" } = metadata;
  const place = { ...namePart(name, request), ...namespacePart(namespace, request) };
  if (metadata.name === place.name && metadata.namespace === place.namespace) return object;
  return withMetadata(object, { ...place, ...omit(metadata, ["name", "namespace"]) });
}

function namePart(own: string, { name = own }: ApiRequest): Pick<ObjectMeta, "name"> {
  if (own !== "" && own !== name)
    throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
  return name === "" ? {} : { name };
}

function namespacePart(
  own: string,
  { verb, resource, namespace = "" }: ApiRequest,
): Pick<ObjectMeta, "namespace"> {
  const place = resource.namespaced ? namespace : "";
  if (own === "" || own === place) return place === "" ? {} : { namespace: place };
  throw badRequest(
    verb === "create"
      ? "the namespace of the provided object does not match the namespace sent on the request"
      : `the namespace of the object (${own}) does not match the namespace on the request (${place})`,
  );
}
