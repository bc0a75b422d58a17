import { keyOf } from "../../../api/object.ts";
import type { StoreRecord } from "../../store/store.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { conflict, notFoundError, optimisticLockConflict } from "../status-errors.ts";

/** Returns the store's key of the object a request names. */
export function requestKey({ namespace = "", name = "" }: Pick<ApiRequest, "namespace" | "name">): string {
  return keyOf({ metadata: { namespace, name } });
}

/** Returns the record a request names; throws 404 when there is none. */
export function getStored(context: ServerContext, request: ApiRequest): StoreRecord {
  const record = collectionOf(context, request.resource).get(requestKey(request));
  if (record === undefined) throw notFoundError(request.resource, request.name ?? "");
  return record;
}

/** Reports whether a record that was read earlier is no longer the newest. */
export function isSuperseded(
  context: ServerContext,
  resource: ServedResource,
  { key, revision }: StoreRecord,
): boolean {
  return collectionOf(context, resource).get(key)?.revision !== revision;
}

interface Identity {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Throws 409 when an update is of another object of that name, or of an older version; absent members are not compared. */
export function checkIsLatest(
  resource: ServedResource,
  stored: StoreRecord["object"]["metadata"],
  { uid = "", resourceVersion = "" }: Identity,
): void {
  checkWritePreconditions(resource, stored, { uid });
  if (!isAnyVersion(resourceVersion) && resourceVersion !== stored.resourceVersion)
    throw optimisticLockConflict(resource, stored.name);
}

/** Reports whether a write names no version: none, or 0, which clients send to overwrite whatever is there. */
// upstream: Store.Update of the generic registry, doUnconditionalUpdate
export function isAnyVersion(resourceVersion: string): boolean {
  return resourceVersion === "" || resourceVersion === "0";
}

/** Throws 409 when a write names another object than the stored one, or another version; absent members are not compared. */
// upstream: Preconditions.Check of the storage, without the code and key of its error
export function checkWritePreconditions(
  resource: ServedResource,
  stored: StoreRecord["object"]["metadata"],
  { uid = "", resourceVersion = "" }: Identity,
): void {
  const unmet = (what: string, wanted: string, actual: string) =>
    conflict(
      resource,
      stored.name,
      `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`,
    );
  if (uid !== "" && uid !== stored.uid) throw unmet("UID", uid, stored.uid);
  if (resourceVersion !== "" && resourceVersion !== stored.resourceVersion)
    throw unmet("ResourceVersion", resourceVersion, stored.resourceVersion);
}

/** Throws 409 when the preconditions of a deletion are not met by the stored object. */
export function checkPreconditions(
  resource: ServedResource,
  { object }: StoreRecord,
  { uid = "", resourceVersion = "" }: Identity,
): void {
  const { name, uid: storedUid, resourceVersion: storedVersion } = object.metadata;
  // upstream: the error names the kind, where others name the resource
  const unmet = (why: string) => conflict({ group: resource.group, plural: resource.kind }, name, why);
  if (uid !== "" && uid !== storedUid)
    throw unmet(
      `the UID in the precondition (${uid}) does not match the UID in record (${storedUid}). ` +
        "The object might have been deleted and then recreated",
    );
  if (resourceVersion !== "" && resourceVersion !== storedVersion)
    throw unmet(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record ` +
        `(${storedVersion}). The object might have been modified`,
    );
}
