import type { StoredJson, StoreRecord } from "../../store/store.ts";
import type { ServedResource } from "../served-resource.ts";

/** An object on its way out, with its JSON text for whoever needs bytes. */
export interface ServedObject {
  readonly object: StoredJson;
  bytes(): Buffer;
}

/** An item for an object that is in no store: the answer of a dry run, a computed lease. */
export function withBytes(object: StoredJson): ServedObject {
  return { object, bytes: () => Buffer.from(JSON.stringify(object)) };
}

/** A record as a resource shows it; the record itself wherever nothing has to be converted. */
export function toServed(resource: ServedResource, record: StoreRecord): ServedObject {
  if (resource.conversion === undefined) return record;
  return withBytes(resource.conversion.fromStorage(record.object) as StoredJson);
}
