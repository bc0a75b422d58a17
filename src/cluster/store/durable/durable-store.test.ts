import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { VirtualClock } from "../../../machinery/clock/virtual-clock.ts";
import { type MemoryDisk, memoryDisk } from "../../../testing/memory-disk.ts";
import { storeContract } from "../store.contract.ts";
import type { Store } from "../store.ts";
import { openDurableStore } from "./durable-store.ts";
import { openLmdbDisk } from "./lmdb-disk.ts";
import { ReservedRevisions } from "./reserved-revisions.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "trimtab-store-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = () => mkdtempSync(path.join(root, "db-"));

storeContract("the durable store", (making) => openDurableStore({ ...making, disk: memoryDisk() }));

storeContract("the durable store on lmdb", async (making) =>
  openDurableStore({ ...making, disk: await openLmdbDisk(newFolder()) }),
);

const thing = (name: string, rest: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name, uid: `uid-${name}`, ownerReferences: [{ uid: "owner" }] },
  ...rest,
});

const keys = (store: Store, collection = "things") =>
  [...store.collection(collection).records()].map(({ key, revision }) => `${key}@${revision}`);

const open = (disk: MemoryDisk, clock = new VirtualClock()) => openDurableStore({ disk, clock });

test("an opened store has what was stored, with its revisions, indexes and owners, and goes on behind them", async () => {
  const folder = newFolder();
  const clock = new VirtualClock();
  const first = await openDurableStore({ clock, disk: await openLmdbDisk(folder) });
  first.collection("things").put("a/ä", thing("ä", { step: 1 }));
  first.collection("things").put("a/ä", thing("ä", { step: 2 }));
  first.collection("things").put("a/gone", thing("gone"));
  first.collection("things").remove("a/gone");
  await first.collection("others").put("b", thing("b")).durable;
  const last = first.revision();
  await first.close();

  const second = await openDurableStore({ clock, disk: await openLmdbDisk(folder) });
  expect(keys(second)).toEqual(["a/ä@3"]);
  expect(second.collection("things").get("a/ä")?.object["step"]).toBe(2);
  expect(keys(second, "others")).toEqual(["b@6"]);
  expect(second.ownedBy("owner")).toEqual([
    { collection: "others", key: "b" },
    { collection: "things", key: "a/ä" },
  ]);
  expect(second.revision()).toBe(last);
  expect(second.collection("things").put("c", thing("c")).record.revision).toBe(last + 1);
  await second.close();
});

test("a commit is visible at once and durable when its batch is flushed", async () => {
  const disk = memoryDisk();
  const store = await open(disk);
  let openGate = () => {};
  disk.gate = new Promise((resolve) => (openGate = resolve));
  const { durable } = store.collection("things").put("a", thing("a"));
  let isDurable = false;
  void durable.then(() => (isDurable = true));
  await new VirtualClock().settle();
  expect(keys(store)).toEqual(["a@2"]);
  expect(isDurable).toBe(false);
  expect(keys(await open(crashed(disk)))).toEqual([]);
  openGate();
  await durable;
  expect(keys(await open(crashed(disk)))).toEqual(["a@2"]);
});

test("commits of one turn, and those during a flush, are flushed together", async () => {
  const disk = memoryDisk();
  const store = await open(disk);
  const before = disk.batches();
  const things = store.collection("things");
  const commits = ["a", "b", "c", "a"].map((key) => things.put(key, thing(key)));
  await Promise.all(commits.map(({ durable }) => durable));
  expect(disk.batches()).toBe(before + 1);
});

describe("after a crash", () => {
  test("no revision is used again that may have been shown, and older ones are too old", async () => {
    const disk = memoryDisk();
    const store = await open(disk);
    const acknowledged = store.collection("things").put("a", thing("a"));
    await acknowledged.durable;
    disk.gate = new Promise(() => {});
    const lost = store.collection("things").put("a", thing("a", { step: 2 }));
    await new VirtualClock().settle();

    const next = await open(crashed(disk));
    const things = next.collection("things");
    expect(keys(next)).toEqual([`a@${acknowledged.record.revision}`]);
    expect(next.revision()).toBeGreaterThan(lost.record.revision);
    for (const revision of [acknowledged.record.revision, lost.record.revision]) {
      expect(things.since(revision)).toBeUndefined();
      expect(things.at(revision)).toBeUndefined();
    }
    expect(things.since(next.revision())).toEqual([]);
    expect(things.put("b", thing("b")).record.revision).toBe(next.revision());
  });

  test("a run that crashes with nothing but its first commit has reserved that one too", async () => {
    const seen = new Set<number>();
    for (let run = 0, disk = memoryDisk(); run < 5; run++, disk = crashed(disk)) {
      const store = await open(disk);
      disk.gate = new Promise(() => {});
      const { revision } = store.collection("things").put("a", thing("a")).record;
      expect(seen).not.toContain(revision);
      seen.add(revision);
    }
  });

  test("more revisions than are reserved, before a batch could reserve more, are reserved while they are taken", () => {
    const disk = memoryDisk();
    const revisions = new ReservedRevisions(disk);
    for (let step = 0; step < 150_000; step++) revisions.next();
    expect(disk.reservedRevision()).toBeGreaterThanOrEqual(revisions.current());
  });
});

describe("when the disk refuses a write", () => {
  test.for([
    { name: "a full disk", failure: { code: 28 }, want: 507 },
    { name: "any other error", failure: { code: "EIO" }, want: 503 },
  ])("$name rejects the commit with a Status of $want", async ({ failure, want }) => {
    const disk = memoryDisk();
    const store = await open(disk);
    disk.failure = Object.assign(new Error("refused"), failure);
    const { durable } = store.collection("things").put("a", thing("a"));
    await expect(durable).rejects.toMatchObject({ code: want });
    expect(store.writeFailure()).toMatchObject({ code: want });
    await store.close();
  });

  test("reads go on, and when it takes writes again everything that was seen is stored", async () => {
    const disk = memoryDisk();
    const clock = new VirtualClock();
    const failures: boolean[] = [];
    const store = await openDurableStore({
      disk,
      clock,
      onFailure: (failure) => failures.push(failure !== undefined),
    });
    const things = store.collection("things");
    await things.put("kept", thing("kept")).durable;
    disk.failure = new Error("refused");
    await expect(things.put("a", thing("a", { step: 1 })).durable).rejects.toThrow("refused");
    await expect(store.flushed()).rejects.toThrow("refused");
    await clock.advance(3000);
    expect(keys(store)).toEqual(["a@3", "kept@2"]);
    expect(keys(await open(crashed(disk)))).toEqual(["kept@2"]);
    disk.failure = undefined;
    await clock.advance(1000);
    expect(store.writeFailure()).toBeUndefined();
    expect(store.flushed()).toBeUndefined();
    expect(keys(await open(crashed(disk)))).toEqual(["a@3", "kept@2"]);
    expect(failures).toEqual([true, false]);
  });

  test("a store that closes then tries once more and keeps what was flushed", async () => {
    const disk = memoryDisk();
    const store = await open(disk);
    await store.collection("things").put("kept", thing("kept")).durable;
    disk.failure = new Error("refused");
    store.collection("things").put("a", thing("a"));
    await store.close();
    disk.failure = undefined;
    expect(keys(await open(disk))).toEqual(["kept@2"]);
  });
});

/** The disk as the next process finds it. */
function crashed(disk: MemoryDisk): MemoryDisk {
  const copy = memoryDisk();
  const reserved = disk.reservedRevision();
  void copy.write({ changes: [...disk.entries()], reserved });
  return copy;
}
