import type * as Lmdb from "lmdb";
import { messageOf } from "../../../api/message-of.ts";
import type { Disk, DiskBatch, DiskEntry } from "./disk.ts";

/** Sorts before every object: their keys begin with the name of a resource. */
const reservedKey = Buffer.from("\u0010reserved");
const firstObjectKey = Buffer.from("\u0020");
const separator = "\0";

type Database = Lmdb.RootDatabase<Buffer, Buffer>;

/** Opens or creates an LMDB database in a folder. Throws one sentence when the library is not available. */
export async function openLmdbDisk(folder: string): Promise<Disk> {
  const { open } = await loadLibrary();
  const database: Database = open<Buffer, Buffer>(folder, {
    encoding: "binary",
    keyEncoding: "binary",
    // A batch resolves when it is flushed, not before.
    overlappingSync: false,
    // One batch is one transaction anyway, and a failed one rejects exactly one promise.
    eventTurnBatching: false,
    noSubdir: false,
  });
  return diskOf(database);
}

/** Only when it is needed: it is native code, and a store in memory works where it cannot be loaded. */
async function loadLibrary(): Promise<typeof Lmdb> {
  try {
    return await import("lmdb");
  } catch (error) {
    throw new Error(
      `a data directory needs the library lmdb, which cannot be loaded on this machine (${messageOf(error)}); ` +
        "without --data-dir everything is kept in memory",
      { cause: error },
    );
  }
}

function diskOf(database: Database): Disk {
  return {
    reservedRevision() {
      const bytes = database.get(reservedKey);
      return bytes === undefined ? undefined : Number(bytes.toString());
    },
    *entries(): Iterable<DiskEntry> {
      for (const { key, value } of database.getRange({ start: firstObjectKey })) {
        const [collection = "", name = ""] = key.toString().split(separator, 2);
        yield { collection, key: name, bytes: value };
      }
    },
    async write(batch) {
      try {
        await database.batch(() => queue(database, batch));
      } catch (error) {
        throw await causeOf(error);
      }
    },
    reserve(revision) {
      database.putSync(reservedKey, Buffer.from(String(revision)));
    },
    // A disk is outside virtual time: it waits for a real turn of the event loop.
    // oxlint-disable-next-line no-restricted-globals
    turnEnded: () => new Promise((resolve) => setImmediate(resolve)),
    close: () => database.close(),
  };
}

function queue(database: Database, { changes, reserved }: DiskBatch): void {
  for (const { collection, key, bytes } of changes) {
    const stored = Buffer.from(`${collection}${separator}${key}`);
    if (bytes === undefined) void database.remove(stored);
    else void database.put(stored, bytes);
  }
  if (reserved !== undefined) void database.put(reservedKey, Buffer.from(String(reserved)));
}

/** The library rejects with an error whose `commitError` is a promise that rejects with the real one. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { readonly commitError?: Promise<never> };
  try {
    await commitError;
  } catch (cause) {
    return cause;
  }
  return error;
}
