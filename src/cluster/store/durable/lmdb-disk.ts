import { open as openFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import type * as Lmdb from "lmdb";
import { messageOf } from "../../../api/message-of.ts";
import { loadOptional, MissingPackageError } from "../../../machinery/optional-package.ts";
import { damagedValue, type Disk, type DiskBatch, type DiskEntry } from "./disk.ts";
import { sealed, unsealed } from "./sealed-value.ts";

/** A key that sorts before every object, since their keys begin with the name of a resource. */
const reservedKey = Buffer.from("\u0010reserved");
const firstObjectKey = Buffer.from("\u0020");
const separator = "\0";

type Database = Lmdb.RootDatabase<Buffer, Buffer>;

/** Opens or creates an LMDB database in a folder. Throws one sentence when the library is not available. */
export async function openLmdbDisk(folder: string): Promise<Disk> {
  const { open: openDatabase } = await loadLibrary();
  const open = () =>
    openDatabase<Buffer, Buffer>(folder, {
      encoding: "binary",
      keyEncoding: "binary",
      // A batch resolves when it is flushed, not before.
      overlappingSync: false,
      // One batch is one transaction anyway, and a failed one rejects exactly one promise.
      eventTurnBatching: false,
      noSubdir: false,
    });
  return diskOf(folder, open);
}

/**
 * Loads the library only when it is needed: it is native code, most installations are without it, and a store in memory works
 * where it cannot be loaded.
 */
async function loadLibrary(): Promise<typeof Lmdb> {
  try {
    const library = await loadOptional({ name: "lmdb", neededBy: "a data directory" }, () => import("lmdb"));
    leaveOutFailuresOfLibrary();
    return library;
  } catch (error) {
    if (error instanceof MissingPackageError) throw error;
    throw new Error(
      `a data directory needs the library lmdb, which cannot be loaded on this machine (${messageOf(error)}); ` +
        "without --data-dir everything is kept in memory",
      { cause: error },
    );
  }
}

let isLeftOut = false;

/**
 * Silences the library, which prints every failed commit with its stack before it rejects the write and has no setting
 * for that. The rejection becomes the sentence that users read; everything else is printed as before.
 */
function leaveOutFailuresOfLibrary(): void {
  if (isLeftOut) return;
  isLeftOut = true;
  /* oxlint-disable no-console -- it is called by the library, not by us */
  const print = console.error;
  console.error = (...values: unknown[]) => {
    if (!isFailureOfLibrary(values[0])) print.apply(console, values);
  };
  /* oxlint-enable no-console */
}

function isFailureOfLibrary(value: unknown): boolean {
  return value instanceof Error && /[\\/]node_modules[\\/]lmdb[\\/]/.test(value.stack ?? "");
}

function diskOf(folder: string, openAgain: () => Database): Disk {
  let database = openAgain();
  /** After some failures the library takes no more writes, and does not even reject them: it is opened anew. */
  let state: "open" | "failed" | "closed" = "open";
  const reopen = async () => {
    if (state === "failed") await database.close();
    state = "closed";
    database = openAgain();
    state = "open";
  };
  return {
    reservedRevision() {
      const stored = database.get(reservedKey);
      return stored === undefined ? undefined : Number(read("revision counter", reservedKey, stored));
    },
    *entries(): Iterable<DiskEntry> {
      for (const { key, value } of database.getRange({ start: firstObjectKey })) {
        const [collection = "", name = ""] = key.toString().split(separator, 2);
        yield { collection, key: name, bytes: read(`${collection} ${name}`, key, value) };
      }
    },
    async write(batch) {
      if (state !== "open") await reopen();
      try {
        await database.batch(() => queue(database, batch));
      } catch (error) {
        state = "failed";
        throw await causeOf(error);
      }
    },
    probe: (bytes) => probe(folder, bytes),
    reserve(revision) {
      database.putSync(reservedKey, reservation(revision));
    },
    // A disk is outside virtual time: it waits for a real turn of the event loop.
    // oxlint-disable-next-line no-restricted-globals
    turnEnded: () => new Promise((resolve) => setImmediate(resolve)),
    close: async () => {
      if (state !== "closed") await database.close();
    },
  };
}

function queue(database: Database, { changes, reserved }: DiskBatch): void {
  for (const { collection, key, bytes } of changes) {
    const stored = Buffer.from(`${collection}${separator}${key}`);
    if (bytes === undefined) void database.remove(stored);
    else void database.put(stored, sealed(stored, bytes));
  }
  if (reserved !== undefined) void database.put(reservedKey, reservation(reserved));
}

const reservation = (revision: number) => sealed(reservedKey, Buffer.from(String(revision)));

function read(name: string, key: Buffer, stored: Buffer): Buffer {
  const value = unsealed(key, stored);
  if (value === undefined) throw damagedValue(name);
  return value;
}

/** The estimated size of a changed page: a batch copies the pages that it changes, and those above them. */
const pageBytes = 2 ** 16;

/** Writes a temporary file next to the database, and removes it. */
async function probe(folder: string, bytes: number): Promise<void> {
  const file = path.join(folder, "probe");
  const { size } = await stat(path.join(folder, "data.mdb"));
  const handle = await openFile(file, "w", 0o600);
  try {
    await handle.write(Buffer.alloc(2 * bytes + pageBytes), 0, undefined, size);
    await handle.sync();
  } finally {
    await handle.close();
    await rm(file, { force: true });
  }
}

/** Returns the real error: the library rejects with one whose `commitError` is a promise that rejects with it. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { readonly commitError?: Promise<never> };
  try {
    await commitError;
  } catch (cause) {
    return cause;
  }
  return error;
}
