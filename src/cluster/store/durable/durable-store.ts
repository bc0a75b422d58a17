import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import type { StoredJson, StoreEvent, Store } from "../store.ts";
import { MemoryStore, type MemoryStoreOptions } from "../memory-store.ts";
import { damagedValue, type Disk } from "./disk.ts";
import { GroupCommit, type GroupCommitOptions } from "./group-commit.ts";
import { ReservedRevisions } from "./reserved-revisions.ts";

/** The dependencies and settings of a durable store. */
export interface DurableStoreOptions
  extends Omit<MemoryStoreOptions, "revisions" | "persist">, Pick<GroupCommitOptions, "disk" | "onFailure"> {}

/** How many objects are read before the clock is checked. */
const sliceSize = 50;

/**
 * Opens a store whose commits survive a crash once their `durable` has resolved. Reads and watches are those of a store
 * in memory; what was stored before is read at once. Older revisions are too old for watches and lists.
 */
export async function openDurableStore(options: DurableStoreOptions): Promise<Store> {
  const { disk, clock, onFailure, ...memoryOptions } = options;
  const revisions = new ReservedRevisions(disk);
  const commits = new GroupCommit({ disk, clock, revisions, onFailure });
  const memory = new MemoryStore({
    ...memoryOptions,
    clock,
    revisions,
    persist: (collection, event) => commits.add({ collection, ...changeOf(event) }),
  });
  try {
    await load(disk, memory, options);
    const reserved = revisions.due();
    if (reserved !== undefined) {
      await disk.write({ changes: [], reserved });
      revisions.confirm(reserved);
    }
  } catch (error) {
    await disk.close().catch(() => {}); // the first error says why the store cannot be opened
    throw error;
  }
  return {
    revision: () => memory.revision(),
    collection: (name) => memory.collection(name),
    addIndexes: (indexes) => memory.addIndexes(indexes),
    addIndexesInSteps: (indexes) => memory.addIndexesInSteps(indexes),
    collections: () => memory.collections(),
    compact: () => memory.compact(),
    ownedBy: (uid) => memory.ownedBy(uid),
    writeFailure: () => commits.failure(),
    flushed: () => commits.flushed(),
    async close() {
      await commits.finish();
      await memory.close();
      // Everything that readers saw is on disk, so the next run need not skip the rest of the block.
      // It does if this write fails.
      if (commits.failure() === undefined)
        await disk.write({ changes: [], reserved: memory.revision() }).catch(() => {});
      // Nothing is lost when it cannot be closed: what was acknowledged is flushed.
      await disk.close().catch(() => {});
    },
  };
}

function changeOf({ type, record }: StoreEvent) {
  return { key: record.key, bytes: type === "DELETED" ? undefined : viewOf(record.bytes()) };
}

async function load(disk: Disk, memory: MemoryStore, { clock }: DurableStoreOptions): Promise<void> {
  let count = 0;
  for (const { collection, key, bytes } of disk.entries()) {
    memory.restore({ collection, key }, storedObject(`${collection} ${key}`, bytes));
    const turn = ++count % sliceSize === 0 ? clock.yieldToEventLoop?.() : undefined;
    if (turn !== undefined) await turn;
  }
}

function storedObject(name: string, bytes: Buffer): StoredJson {
  const object = parsedObject(bytes);
  const { metadata } = object;
  const revision = isJsonObject(metadata) ? Number(metadata["resourceVersion"]) : Number.NaN;
  if (!Number.isSafeInteger(revision)) throw damagedValue(name);
  return object as StoredJson;
}

/**
 * Parses a stored object; empty for bytes that are not an object. `parseJson` does not fit: its limits are for what
 * clients send, and every object that was accepted once, perhaps as protobuf, has to be readable again.
 */
function parsedObject(bytes: Buffer): JsonObject {
  try {
    const value = JSON.parse(bytes.toString()) as Json;
    return isJsonObject(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The same bytes as the class that the disk reads and writes. */
function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
