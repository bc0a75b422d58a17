import { extended } from "../../../api/extended.ts";
import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { ApiRequest } from "../request/api-request.ts";
import { badRequest } from "../status-errors.ts";
import { metadataOf, withMetadata } from "./object-meta.ts";
import { omit, pick } from "./pick-omit.ts";

const filledIn = ["name", "namespace"] as const;

/** Returns the object with the name and namespace of the URL; throws 400 when its own differ, or an update has no name. */
export function withNameFromUrl(object: JsonObject, request: ApiRequest): JsonObject {
  const metadata = metadataOf(object);
  const { name = "", namespace = "" } = metadata;
  const [named, placed] = [nameOf(name, request), namespaceOf(namespace, request)];
  if (metadata.name === named && metadata.namespace === placed) return object;
  const identity = pick({ name: named, namespace: placed }, filledIn) as Pick<
    ObjectMeta,
    "name" | "namespace"
  >;
  return withMetadata(object, extended(identity, omit(metadata, filledIn)));
}

/** Throws 400 when the body of a create at an object's subresource does not name that object. */
export function checkNamesObject(object: JsonObject, { name = "" }: ApiRequest, kind: string): void {
  if (metadataOf(object).name !== name) throw badRequest(`name in URL does not match name in ${kind} object`);
}

function nameOf(own: string, { verb, name = own }: ApiRequest): string | undefined {
  if (own === "" && verb === "update")
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  if (own !== "" && own !== name)
    throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
  return name === "" ? undefined : name;
}

function namespaceOf(own: string, { verb, resource, namespace = "" }: ApiRequest): string | undefined {
  const wanted = resource.namespaced ? namespace : "";
  if (own === "" || own === wanted) return wanted === "" ? undefined : wanted;
  throw badRequest(
    verb === "create"
      ? "the namespace of the provided object does not match the namespace sent on the request"
      : `the namespace of the object (${own}) does not match the namespace on the request (${wanted})`,
  );
}
