import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../api/message-of.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Random } from "../../machinery/random/random.ts";
import { type DurableStoreOptions, openDurableStore } from "../store/durable/durable-store.ts";
import { openLmdbDisk } from "../store/durable/lmdb-disk.ts";
import type { Store } from "../store/store.ts";
import { makeFolder } from "../make-folder.ts";
import { checkDatabaseFile } from "./check-database-file.ts";
import { type Credentials, keepCredentials } from "./credentials.ts";
import { readMarker, writeMarker } from "./directory-marker.ts";
import { lockDirectory } from "./process-lock.ts";

/** The file name that LMDB uses. */
const databaseName = "data.mdb";

/** What a data directory holds, open for this process alone until the store is closed. */
export interface DataDirectory extends Credentials {
  readonly store: Store;
}

/** The dependencies and settings of an open data directory. */
export interface DataDirectoryOptions extends Omit<DurableStoreOptions, "disk"> {
  readonly random: Random;
}

/**
 * Opens or creates a data directory. Throws one sentence, and leaves everything as it is, when it belongs to another
 * process, is damaged, or is something else.
 */
export async function openDataDirectory(
  folder: string,
  options: DataDirectoryOptions,
): Promise<DataDirectory> {
  try {
    return await open(folder, options);
  } catch (error) {
    throw new Error(`cannot use the data directory ${folder}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Removes the objects of a data directory that no process has open; its credentials stay, so that kubeconfigs stay
 * valid. Throws one sentence, and leaves everything as it is, when it is not a data directory or is in use.
 */
export function emptyDataDirectory(folder: string): void {
  try {
    if (readMarker(folder) === "absent") return;
    const unlock = lockDirectory(folder);
    try {
      writeMarker(folder, "creating"); // the next process to open it begins a new database
    } finally {
      unlock();
    }
  } catch (error) {
    throw new Error(`cannot empty the data directory ${folder}: ${messageOf(error)}`, { cause: error });
  }
}

async function open(folder: string, options: DataDirectoryOptions): Promise<DataDirectory> {
  const isNew = readMarker(folder) === "absent";
  if (isNew) makeFolder(folder);
  const unlock = lockDirectory(folder);
  try {
    return await openLocked(folder, unlock, options);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openLocked(
  folder: string,
  unlock: () => void,
  { random, ...storeOptions }: DataDirectoryOptions,
): Promise<DataDirectory> {
  // Again, since another process may have created it meanwhile.
  const state = readMarker(folder);
  if (state === "absent") writeMarker(folder, "creating");
  const database = path.join(folder, "store");
  if (state === "ready") await checkDatabase(database, storeOptions.clock);
  else beginDatabase(database);
  const credentials = keepCredentials(path.join(folder, "credentials"), storeOptions.clock.now(), random);
  const store = await openDurableStore({ ...storeOptions, disk: await openLmdbDisk(database) });
  if (state !== "ready") {
    chmodSync(path.join(database, databaseName), 0o600);
    for (const created of [database, folder, path.dirname(path.resolve(folder))]) flushFolder(created);
    writeMarker(folder, "ready");
    flushFolder(folder);
  }
  return {
    ...credentials,
    store: {
      ...store,
      async close() {
        await store.close();
        unlock();
      },
    },
  };
}

async function checkDatabase(database: string, clock: Clock): Promise<void> {
  const file = path.join(database, databaseName);
  if (!existsSync(file)) throw new Error(`its store/${databaseName} is missing`);
  await checkDatabaseFile(file, clock);
}

/** Removes the database of a process that ended before it was ready: it holds nothing that was acknowledged. */
function beginDatabase(database: string): void {
  rmSync(database, { recursive: true, force: true });
  mkdirSync(database, { mode: 0o700 });
}

/** Flushes a folder, without which the names of new files do not survive a loss of power. */
function flushFolder(folder: string): void {
  if (process.platform === "win32") return; // Windows cannot open folders, and journals names
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
