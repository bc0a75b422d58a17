import { expect, test } from "vitest";
import { keys, thing, type StoreFixture } from "./store-fixture.contract.ts";
import type { StoredJson, StoreEvent } from "./store.ts";

/** What is committed and read. */
export function commitContract(use: () => StoreFixture): void {
  test("every commit takes the next revision of the one counter and stamps it on the object", async () => {
    const { store, things } = use();
    const first = things.put("a", thing("a"));
    const other = store.collection("others").put("a", thing("a"));
    await first.durable;
    expect(other.record.revision).toBe(first.record.revision + 1);
    expect(store.revision()).toBe(other.record.revision);
    expect(things.get("a")?.object.metadata.resourceVersion).toBe(String(first.record.revision));
  });

  test("no revision is ever zero", () => {
    const { store } = use();
    expect(store.revision()).toBeGreaterThan(0);
  });

  test("a record is encoded once", () => {
    const { things } = use();
    const { record } = things.put("a", thing("a", { data: "ä" }));
    expect(JSON.parse(Buffer.from(record.bytes()).toString())).toEqual(record.object);
    expect(record.bytes()).toBe(record.bytes());
  });

  test("reads are in key order, by namespace, and can start behind a key", () => {
    const { store, things } = use();
    for (const key of ["b/x", "a/z", "a/y", "a-b/x", "c/x"]) things.put(key, thing(key));
    expect(keys(things.records())).toEqual(["a-b/x", "a/y", "a/z", "b/x", "c/x"]);
    expect(keys(things.records({ namespace: "a" }))).toEqual(["a/y", "a/z"]);
    expect(keys(things.records({ namespace: "a", after: "a/y" }))).toEqual(["a/z"]);
    expect(keys(things.records({ after: "a/y" }))).toEqual(["a/z", "b/x", "c/x"]);
    expect(keys(things.records({ after: "a/yy" }))).toEqual(["a/z", "b/x", "c/x"]);
    expect(things.count()).toBe(5);
    expect(things.count({ namespace: "a" })).toBe(2);
    expect(things.count({ after: "a/y" })).toBe(3);
    expect(things.count({ namespace: "a", after: "a/yy" })).toBe(1);
    expect(store.collection("none").count()).toBe(0);
  });

  test("removing what is not there is not a commit", () => {
    const { store, things } = use();
    const before = store.revision();
    expect(things.remove("a")).toBeUndefined();
    expect(store.revision()).toBe(before);
  });

  test("a deletion carries the last content with the revision of the deletion", async () => {
    const { clock, store, things } = use();
    const seen: StoreEvent[] = [];
    things.put("a", thing("a", { data: "last" }));
    things.subscribe({ of: "all" }, (events) => seen.push(...events));
    const removed = things.remove("a");
    await clock.settle();
    expect(things.get("a")).toBeUndefined();
    expect(seen.map(({ type, record }) => [type, record.object["data"], record.revision])).toEqual([
      ["DELETED", "last", removed?.record.revision],
    ]);
    expect(seen[0]?.record.object.metadata.resourceVersion).toBe(String(store.revision()));
  });

  test("what is stored is not touched by later writes", () => {
    const { things } = use();
    const stored: StoredJson | undefined = things.put("a", Object.freeze(thing("a"))).record.object;
    things.put("a", thing("a", { step: 2 }));
    expect(stored).toEqual({ ...thing("a"), metadata: { name: "a", uid: "uid-a", resourceVersion: "2" } });
  });
}
