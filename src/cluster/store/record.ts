import { utf8Bytes } from "../../api/bytes.ts";
import { extended } from "../../api/extended.ts";
import type { JsonObject } from "../../api/json.ts";
import type { EncodingCache } from "./encoding-cache.ts";
import { estimatedSize } from "./object-size.ts";
import type { StoredJson, StoreRecord } from "./store.ts";

/** The content of a record. */
interface RecordContent extends Pick<StoreRecord, "key" | "revision" | "object"> {
  /** Absent: estimated. */
  readonly size?: number | undefined;
}

/** A record that encodes its object when `bytes` is called, once while the cache has room for it. */
export class EncodingRecord implements StoreRecord {
  readonly key: string;
  readonly revision: number;
  readonly object: StoredJson;
  readonly size: number;
  readonly #cache: EncodingCache | undefined;
  #bytes: Uint8Array | undefined;

  constructor({ key, revision, object, size }: RecordContent, cache?: EncodingCache) {
    this.key = key;
    this.revision = revision;
    this.object = object;
    this.size = size ?? estimatedSize(object);
    this.#cache = cache;
  }

  bytes(): Uint8Array {
    if (this.#bytes !== undefined) return this.#bytes;
    const bytes = utf8Bytes(JSON.stringify(this.object));
    this.#bytes = bytes;
    this.#cache?.add(this, bytes.byteLength);
    return bytes;
  }

  /** Drops the bytes: history keeps thousands of superseded records, and few of them are read again. */
  release(): void {
    if (this.#bytes === undefined) return;
    this.#bytes = undefined;
    this.#cache?.delete(this);
  }
}

/** Returns the object with a resource version. */
export function withResourceVersion(object: JsonObject, revision: number): StoredJson {
  const { metadata } = object as StoredJson;
  const versioned = extended(metadata, { resourceVersion: String(revision) });
  return extended(object, { metadata: versioned }) as unknown as StoredJson;
}
