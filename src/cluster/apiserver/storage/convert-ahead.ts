import type { JsonObject } from "../../../api/json.ts";
import type { StoreRecord } from "../../store/store.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { notFoundError } from "../status-errors.ts";
import { requestKey } from "./stored-object.ts";

/**
 * Converts stored objects ahead, so that they can be served at once; `undefined` when there is nothing to wait for, as for
 * all kinds that no webhook converts.
 */
export function readAhead(
  { conversion }: ServedResource,
  records: Iterable<StoreRecord>,
): Promise<void> | undefined {
  if (conversion?.ahead === undefined) return undefined;
  return conversion.ahead(
    Array.from(records, ({ object }) => object),
    "served",
  );
}

/** Returns the newest record that a request names, as `currentRecord` does; throws 404 when there is none. */
export async function requiredRecord(context: ServerContext, request: ApiRequest): Promise<StoreRecord> {
  const found = currentRecord(context, request);
  const record = found instanceof Promise ? await found : found;
  if (record === undefined) throw notFoundError(request.resource, request.name ?? "");
  return record;
}

/** Converts an object ahead that is to be stored; `undefined` when there is nothing to wait for. */
export function writeAhead({ conversion }: ServedResource, object: JsonObject): Promise<void> | undefined {
  return conversion?.ahead?.([object], "stored");
}

/**
 * Returns the newest record that a request names, ready to be served: a promise if it has to be converted ahead, and then
 * the newest when that is done.
 */
export function currentRecord(
  context: ServerContext,
  request: ApiRequest,
): StoreRecord | undefined | Promise<StoreRecord | undefined> {
  const { resource } = request;
  const record = collectionOf(context, resource).get(requestKey(request));
  const waits = record && readAhead(resource, [record]);
  return waits === undefined ? record : waits.then(() => currentRecord(context, request));
}
