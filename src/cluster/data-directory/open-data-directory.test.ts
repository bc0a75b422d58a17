import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../api/json.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { openLmdbDisk } from "../store/durable/lmdb-disk.ts";
import { openDataDirectory } from "./open-data-directory.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "trimtab-data-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newPath = () => path.join(mkdtempSync(path.join(root, "case-")), "data");
const options = () => ({ clock: new VirtualClock(), random: seededRandom("data") });
const open = (folder: string) => openDataDirectory(folder, options());
const thing = (name: string): JsonObject => ({ apiVersion: "v1", kind: "Thing", metadata: { name } });

/** A data directory of a cluster that was stopped, with enough objects for a tree of pages and one large object. */
let template: string;
beforeAll(async () => {
  template = newPath();
  const { store } = await open(template);
  const things = store.collection("things");
  for (let index = 0; index < 300; index++)
    things.put(`a/${index}`, { ...thing("a"), data: "x".repeat(900) });
  await things.put("a/large", { ...thing("large"), data: "x".repeat(100_000) }).durable;
  await store.close();
});

const copyOfTemplate = () => {
  const folder = newPath();
  cpSync(template, folder, { recursive: true });
  return folder;
};

/** Every file and folder below a path, with its mode and content. */
function everythingIn(place: string): readonly string[] {
  const found = lstatSync(place);
  if (!found.isDirectory()) {
    const content = createHash("sha256").update(readFileSync(place)).digest("hex");
    return [`${place} ${found.mode} ${content}`];
  }
  const names = readdirSync(place).toSorted();
  return [`${place} ${found.mode}`, ...names.flatMap((name) => everythingIn(path.join(place, name)))];
}

test("a new data directory can be read by its owner alone, and is the same cluster when it is opened again", async () => {
  const folder = newPath();
  const first = await open(folder);
  await first.store.collection("things").put("a", thing("a")).durable;
  await first.store.close();
  const modes = ["", "credentials", "credentials/ca.key", "credentials/token", "store", "store/data.mdb"].map(
    (name) => (statSync(path.join(folder, name)).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(["700", "700", "600", "600", "700", "600"]);

  const second = await open(folder);
  expect(second.token).toBe(first.token);
  expect(second.authority.certificate).toBe(first.authority.certificate);
  expect(second.authority.privateKey.equals(first.authority.privateKey)).toBe(true);
  expect(second.store.collection("things").get("a")?.object.metadata.name).toBe("a");
  await second.store.close();
});

test("an empty folder, and the root of a new file system, become data directories", async () => {
  const folder = newPath();
  mkdirSync(path.join(folder, "lost+found"), { recursive: true });
  await (await open(folder)).store.close();
  expect(readdirSync(folder)).toContain("trimtab.json");
});

test("a creation that was interrupted begins anew", async () => {
  const folder = copyOfTemplate();
  writeFileSync(path.join(folder, "trimtab.json"), '{"format":1,"state":"creating"}');
  truncateSync(path.join(folder, "store/data.mdb"), 5000);
  const { store } = await open(folder);
  expect(store.collection("things").count()).toBe(0);
  await store.close();
});

describe("refused with a sentence and left as it is", () => {
  const refusals: readonly {
    readonly name: string;
    readonly change: (folder: string) => void | Promise<void>;
    readonly want: RegExp;
  }[] = [
    {
      name: "a folder of somebody else",
      change: (folder) => {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        writeFileSync(path.join(folder, "thesis.txt"), "years of work");
      },
      want: /it has other files and is not a data directory of trimtab/,
    },
    {
      name: "a file",
      change: (folder) => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, "text");
      },
      want: /not a (folder|directory)/,
    },
    {
      name: "a newer format",
      change: (folder) => writeFileSync(path.join(folder, "trimtab.json"), '{"format":2,"state":"ready"}'),
      want: /it has format 2, this version of trimtab knows formats up to 1/,
    },
    {
      name: "a damaged marker",
      change: (folder) => writeFileSync(path.join(folder, "trimtab.json"), "{"),
      want: /its trimtab.json is damaged/,
    },
    {
      name: "a database of random bytes",
      change: (folder) => writeFileSync(path.join(folder, "store/data.mdb"), noise(200_000)),
      want: /its database is damaged: it is not a database/,
    },
    {
      name: "an empty database file",
      change: (folder) => truncateSync(path.join(folder, "store/data.mdb")),
      want: /its database is damaged: it ends too early/,
    },
    {
      name: "a truncated database",
      change: (folder) => truncateSync(path.join(folder, "store/data.mdb"), 100_000),
      want: /its database is damaged: it ends too early/,
    },
    {
      name: "random bytes within the database",
      change: (folder) => overwrite(path.join(folder, "store/data.mdb"), 4096 * 10, noise(4096 * 20)),
      want: /its database is damaged: page \d+ is not what it should be/,
    },
    {
      name: "a missing database",
      change: (folder) => rmSync(path.join(folder, "store/data.mdb")),
      want: /its store\/data.mdb is missing/,
    },
    {
      name: "a key of another authority",
      change: async (folder) => {
        const other = newPath();
        await (await open(other)).store.close();
        copyFileSync(path.join(other, "credentials/ca.key"), path.join(folder, "credentials/ca.key"));
      },
      want: /its credentials are damaged \(ca.key is not the key of ca.crt\)/,
    },
    {
      name: "a lock that is not understood",
      change: (folder) => writeFileSync(path.join(folder, "lock.what"), ""),
      want: /it has a lock that is not understood: lock.what/,
    },
    {
      name: "a lock of another machine",
      change: (folder) => writeFileSync(path.join(folder, "lock.7.1.aaaaaaaa.1.elsewhere"), ""),
      want: /process 7 of machine elsewhere has it open, or has left lock\S+ behind: remove that file if it has ended/,
    },
  ];

  test.for(refusals)("$name", async ({ change, want }) => {
    const folder = copyOfTemplate();
    await change(folder);
    const before = everythingIn(folder);
    await expect(open(folder)).rejects.toThrow(want);
    await expect(open(folder)).rejects.toThrow(`cannot use the data directory ${folder}: `);
    expect(everythingIn(folder)).toEqual(before);
  });

  test("an object that is not JSON", async () => {
    const folder = copyOfTemplate();
    const disk = await openLmdbDisk(path.join(folder, "store"));
    await disk.write({ changes: [{ collection: "things", key: "bad", bytes: Buffer.from("{") }] });
    await disk.close();
    const before = readFileSync(path.join(folder, "store/data.mdb"));
    await expect(open(folder)).rejects.toThrow('the stored value of "things bad" is damaged');
    expect(readFileSync(path.join(folder, "store/data.mdb")).equals(before)).toBe(true);
  });

  // The administrator of a machine may read everything.
  test.skipIf(process.getuid?.() === 0)("a folder without permission", async () => {
    const folder = copyOfTemplate();
    chmodSync(folder, 0o500);
    await expect(open(folder)).rejects.toThrow(/EACCES|permission denied/);
    chmodSync(folder, 0o700);
  });
});

describe("one process at a time", () => {
  test("a directory that is open is refused, with the process that has it", async () => {
    const folder = copyOfTemplate();
    const { store } = await open(folder);
    await expect(open(folder)).rejects.toThrow(`this process (${process.pid}) has it open already`);
    const [lock = ""] = locksIn(folder);
    // The parent runs as long as the test does.
    const start = (readFileSync(`/proc/${process.ppid}/stat`, "utf8").split(") ").at(-1) ?? "").split(
      " ",
    )[19];
    const parts = lock.split(".");
    const other = ["lock", process.ppid, start, ...parts.slice(3)].join(".");
    await store.close();
    writeFileSync(path.join(folder, other), "");
    await expect(open(folder)).rejects.toThrow(`process ${process.ppid} has it open`);
  });

  test.for([
    { name: "that was killed", change: (parts: string[]) => parts.with(1, "4194305") },
    { name: "whose number another has now", change: (parts: string[]) => parts.with(2, "1") },
    { name: "from before the machine restarted", change: (parts: string[]) => parts.with(3, "00000000") },
  ])("the lock of a process $name is removed", async ({ change }) => {
    const folder = copyOfTemplate();
    const { store } = await open(folder);
    const [lock = ""] = locksIn(folder);
    await store.close();
    const stale = change(lock.split(".")).join(".");
    writeFileSync(path.join(folder, stale), "");
    const again = await open(folder);
    expect(locksIn(folder)).toEqual([lock]);
    await again.store.close();
    expect(locksIn(folder)).toEqual([]);
  });
});

test("a data directory can be moved", async () => {
  const folder = copyOfTemplate();
  const moved = `${folder}-moved`;
  renameSync(folder, moved);
  const { store } = await open(moved);
  expect(store.collection("things").count()).toBe(301);
  await store.close();
});

function locksIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith("lock."));
}

/** Bytes that look random and are always the same. */
function noise(length: number): Buffer {
  const chunks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash("sha256").update(String(index)).digest(),
  );
  return Buffer.concat(chunks).subarray(0, length);
}

function overwrite(file: string, position: number, bytes: Buffer): void {
  const content = readFileSync(file);
  bytes.copy(content, position);
  writeFileSync(file, content);
}
