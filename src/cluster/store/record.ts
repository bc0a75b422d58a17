import type { JsonObject } from "../../api/json.ts";
import type { StoredJson, StoreRecord } from "./store.ts";

/** A record that encodes its object at the first call of `bytes`. */
export class EncodingRecord implements StoreRecord {
  readonly key: string;
  readonly revision: number;
  readonly object: StoredJson;
  #bytes: Buffer | undefined;

  constructor(key: string, revision: number, object: StoredJson) {
    this.key = key;
    this.revision = revision;
    this.object = object;
  }

  bytes(): Buffer {
    this.#bytes ??= Buffer.from(JSON.stringify(this.object));
    return this.#bytes;
  }

  /** Drops the bytes: history keeps thousands of superseded records, and few of them are read again. */
  release(): void {
    this.#bytes = undefined;
  }
}

/** The object with a resource version. */
export function withResourceVersion(object: JsonObject, revision: number): StoredJson {
  const { metadata } = object as StoredJson;
  return { ...object, metadata: { ...metadata, resourceVersion: String(revision) } } as StoredJson;
}
