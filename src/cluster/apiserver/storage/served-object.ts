import { utf8Bytes } from "../../../api/bytes.ts";
import type { StoredJson, StoreRecord } from "../../store/store.ts";
import type { ServedResource } from "../served-resource.ts";

/** An object as a resource serves it, encoded as JSON on demand. */
export interface ServedObject {
  readonly object: StoredJson;
  bytes(): Uint8Array;
}

/** Serves an object that is not in the store, such as the result of a dry run. */
export function withBytes(object: StoredJson): ServedObject {
  return { object, bytes: () => utf8Bytes(JSON.stringify(object)) };
}

/** Converts a record to what the resource serves; the record itself when there is nothing to convert. */
export function toServed(resource: ServedResource, record: StoreRecord): ServedObject {
  if (resource.conversion === undefined) return record;
  const object = resource.conversion.fromStorage(record.object) as StoredJson;
  return object === record.object ? record : withBytes(object);
}
