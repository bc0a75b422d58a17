import { keyOf } from "../../../api/object.ts";
import type { StoreRecord } from "../../store/store.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { conflict, notFound } from "../status-errors.ts";

/** The store's key of the object a request names. */
export function requestKey({ namespace = "", name = "" }: Pick<ApiRequest, "namespace" | "name">): string {
  return keyOf({ metadata: { namespace, name } });
}

/** The record a request names; throws 404 when there is none. */
export function getStored(context: ServerContext, request: ApiRequest): StoreRecord {
  const record = collectionOf(context, request.resource).get(requestKey(request));
  if (record === undefined) throw notFound(request.resource, request.name ?? "");
  return record;
}

/** Whether a record that was read earlier is no longer the newest. */
export function isSuperseded(
  context: ServerContext,
  resource: ServedResource,
  { key, revision }: StoreRecord,
): boolean {
  return collectionOf(context, resource).get(key)?.revision !== revision;
}

/** Throws 409 when the UID or the resource version is not that of the stored object. */
export function checkPreconditions(
  resource: ServedResource,
  { object }: StoreRecord,
  { uid, resourceVersion }: { readonly uid?: string; readonly resourceVersion?: string },
): void {
  const { name, uid: storedUid, resourceVersion: storedVersion } = object.metadata;
  const unmet = (what: string, wanted: string, actual: string) =>
    conflict(
      resource,
      name,
      `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`,
    );
  if (uid !== undefined && uid !== "" && uid !== storedUid) throw unmet("UID", uid, storedUid);
  if (resourceVersion !== undefined && resourceVersion !== "" && resourceVersion !== storedVersion)
    throw unmet("ResourceVersion", resourceVersion, storedVersion);
}
