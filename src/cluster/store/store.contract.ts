import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../api/json.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import type { IndexValues } from "./field-index.ts";
import type { HistoryLimits } from "./history.ts";
import type { Collection, Store, StoredJson, StoreEvent } from "./store.ts";

export interface StoreOptions {
  readonly clock: VirtualClock;
  readonly history: HistoryLimits;
  readonly maxHistoryBytes: number;
}

const color: IndexValues = (object) => {
  const value = object.metadata.labels?.["color"];
  return value === undefined ? [] : [value];
};

function thing(name: string, rest: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, uid: `uid-${name}`, ...metadata }, ...rest };
}

const colored = (name: string, value: string) => thing(name, {}, { labels: { color: value } });
const shown = (event: StoreEvent) => `${event.type} ${event.record.key}@${event.record.revision}`;
const keys = (records: Iterable<{ readonly key: string }>) => [...records].map(({ key }) => key);

/** The contract of every Store. */
export function storeContract(name: string, create: (options: StoreOptions) => Store | Promise<Store>): void {
  describe(name, () => {
    let clock: VirtualClock;
    let store: Store;
    let things: Collection;

    beforeEach(async () => {
      clock = new VirtualClock();
      store = await create({
        clock,
        history: { minEvents: 4, minAgeMs: 60_000, maxEvents: 8 },
        maxHistoryBytes: 100_000,
      });
      store.addIndexes({ things: { color } });
      things = store.collection("things");
    });

    afterEach(() => store.close());

    test("every commit takes the next revision of the one counter and stamps it on the object", async () => {
      const first = things.put("a", thing("a"));
      const other = store.collection("others").put("a", thing("a"));
      await first.durable;
      expect(other.record.revision).toBe(first.record.revision + 1);
      expect(store.revision()).toBe(other.record.revision);
      expect(things.get("a")?.object.metadata.resourceVersion).toBe(String(first.record.revision));
    });

    test("no revision is ever zero", () => {
      expect(store.revision()).toBeGreaterThan(0);
    });

    test("a record is encoded once", () => {
      const { record } = things.put("a", thing("a", { data: "ä" }));
      expect(JSON.parse(record.bytes().toString())).toEqual(record.object);
      expect(record.bytes()).toBe(record.bytes());
    });

    test("reads are in key order, by namespace, and can start behind a key", () => {
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
      const before = store.revision();
      expect(things.remove("a")).toBeUndefined();
      expect(store.revision()).toBe(before);
    });

    test("a deletion carries the last content with the revision of the deletion", async () => {
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

    test("subscribers see every later event in order, none merged, never synchronously", async () => {
      things.put("before", thing("before"));
      const seen: string[] = [];
      things.subscribe({ of: "all" }, (events) => seen.push(...events.map(shown)));
      const from = store.revision();
      things.put("a", thing("a", { step: 1 }));
      things.put("a", thing("a", { step: 2 }));
      things.remove("a");
      expect(seen).toEqual([]);
      await clock.settle();
      expect(seen).toEqual([`ADDED a@${from + 1}`, `MODIFIED a@${from + 2}`, `DELETED a@${from + 3}`]);
    });

    test("a revision counts as delivered only when its event has been handed out", async () => {
      const before = store.revision();
      things.put("a", thing("a"));
      things.put("b", thing("b"));
      expect(things.deliveredRevision()).toBe(before);
      await clock.settle();
      expect(things.deliveredRevision()).toBe(store.revision());
    });

    test.for([
      { name: "a namespace", scope: { of: "namespace", namespace: "a" } as const, want: ["a/red", "a/blue"] },
      { name: "a key", scope: { of: "key", key: "a/red" } as const, want: ["a/red"] },
      {
        name: "an index value, leaving it included",
        scope: { of: "index", index: "color", value: "red" } as const,
        want: ["a/red", "a/red"],
      },
    ])("a subscription to $name sees only that", async ({ scope, want }) => {
      const seen: string[] = [];
      things.subscribe(scope, (events) => seen.push(...keys(events.map(({ record }) => record))));
      things.put("a/red", thing("red", {}, { namespace: "a", labels: { color: "red" } }));
      things.put("a/blue", thing("blue", {}, { namespace: "a", labels: { color: "blue" } }));
      things.put("b/blue", thing("blue", {}, { namespace: "b", labels: { color: "blue" } }));
      if (scope.of === "index") things.put("a/red", thing("red", {}, { namespace: "a" }));
      await clock.settle();
      expect(seen).toEqual(want);
    });

    test("an ended subscription gets no event, not even a pending one", async () => {
      const seen: string[] = [];
      const end = things.subscribe({ of: "all" }, (events) => seen.push(...events.map(shown)));
      things.put("a", thing("a"));
      end();
      await clock.settle();
      expect(seen).toEqual([]);
    });

    test("history answers what came after a revision, until that is too long ago", async () => {
      const start = store.revision();
      for (const step of [1, 2, 3, 4, 5, 6]) things.put("a", thing("a", { step }));
      expect(things.since(start)?.length).toBe(6);
      expect(things.since(start + 4)?.map(shown)).toEqual([
        `MODIFIED a@${start + 5}`,
        `MODIFIED a@${start + 6}`,
      ]);
      await clock.advance(60_001);
      things.put("b", thing("b"));
      expect(things.oldestRevision()).toBe(start + 3);
      expect(things.since(start + 2)).toBeUndefined();
      expect(things.since(start + 3)?.length).toBe(4);
    });

    test("history has a ceiling whatever the age", () => {
      const start = store.revision();
      for (let step = 0; step < 50; step++) things.put("a", thing("a", { step }));
      expect(things.since(start + 41)).toBeUndefined();
      expect(things.since(start + 42)?.length).toBe(8);
    });

    test("a large object that is rewritten often is kept a few times, and whoever resumes before that lists again", () => {
      const large = "x".repeat(30_000);
      const start = store.revision();
      for (let step = 0; step < 6; step++) things.put("a", thing("a", { step, large }));
      expect(things.since(start + 2)).toBeUndefined();
      expect(things.since(start + 3)?.length).toBe(3);
      expect(things.at(start + 2)).toBeUndefined();
    });

    test("large objects that are deleted are kept a few times, and those that are stored do not count", () => {
      const large = "x".repeat(30_000);
      const start = store.revision();
      for (const key of ["a", "b", "c", "d", "e"]) things.put(key, thing(key, { large }));
      expect(things.since(start)?.length).toBe(5);
      for (const key of ["a", "b", "c", "d", "e"]) things.remove(key);
      expect(things.since(start + 7)?.length).toBe(3);
      expect(things.since(start + 6)).toBeUndefined();
    });

    test("the history of large objects makes room, that of small ones in other collections stays", () => {
      const start = store.revision();
      const small = store.collection("small");
      for (const step of [1, 2]) small.put("a", thing("a", { step }));
      for (let step = 0; step < 6; step++) things.put("a", thing("a", { step, large: "x".repeat(30_000) }));
      expect(small.since(start)?.length).toBe(2);
    });

    test("other collections do not use up a history", () => {
      const start = store.revision();
      things.put("a", thing("a"));
      for (let step = 0; step < 50; step++) store.collection("busy").put("a", thing("a", { step }));
      expect(things.since(start)?.length).toBe(1);
      expect(things.since(store.revision())).toEqual([]);
    });

    test("a view is the state at its revision, whatever happens afterwards", () => {
      things.put("a", thing("a", { step: 1 }));
      things.put("b", thing("b"));
      const revision = store.revision();
      const early = things.at(revision);
      things.put("a", thing("a", { step: 2 }));
      things.remove("b");
      things.put("c", thing("c"));
      for (const view of [early, things.at(revision)]) {
        expect(keys(view?.records() ?? [])).toEqual(["a", "b"]);
        expect(view?.get("a")?.object["step"]).toBe(1);
      }
    });

    test("a view that is no longer kept is rebuilt from history", () => {
      things.put("a", thing("a", { step: 1 }));
      things.put("b", thing("b"));
      const revision = store.revision();
      things.put("a", thing("a", { step: 2 }));
      things.remove("b");
      things.put("c", thing("c"));
      const view = things.at(revision);
      expect(keys(view?.records() ?? [])).toEqual(["a", "b"]);
      expect(view?.get("a")?.object["step"]).toBe(1);
    });

    test("a view outlives history for five minutes, and no longer", async () => {
      things.put("a", thing("a"));
      const revision = store.revision();
      things.at(revision);
      for (let step = 0; step < 50; step++) things.put("b", thing("b", { step }));
      await clock.advance(299_999);
      expect(keys(things.at(revision)?.records() ?? [])).toEqual(["a"]);
      await clock.advance(2);
      expect(things.at(revision)).toBeUndefined();
    });

    test("there is no view of a revision that does not exist yet", () => {
      things.put("a", thing("a"));
      const future = store.revision() + 2;
      expect(things.at(future)).toBeUndefined();
      things.put("b", thing("b"));
      things.put("c", thing("c"));
      expect(keys(things.at(future)?.records() ?? [])).toEqual(["a", "b", "c"]);
    });

    test("few views outlive history: the oldest makes room", () => {
      things.put("a", thing("a"));
      const first = store.revision();
      things.at(first);
      for (let step = 0; step < 20; step++) {
        things.put("b", thing("b", { step }));
        things.at(store.revision());
      }
      expect(things.at(first)).toBeUndefined();
      expect(keys(things.at(store.revision() - 8)?.records() ?? [])).toEqual(["a", "b"]);
    });

    test("lists of a collection that does not change share one view", () => {
      things.put("a", thing("a"));
      const revision = store.revision();
      const views = new Set([things.at(revision)]);
      for (let step = 0; step < 20; step++) {
        store.collection("busy").put("a", thing("a", { step }));
        views.add(things.at(store.revision()));
      }
      expect(views.size).toBe(1);
    });

    test("a compacted store knows only the present", () => {
      things.put("a", thing("a"));
      const revision = store.revision();
      things.at(revision);
      things.put("a", thing("a", { step: 2 }));
      store.compact();
      expect(things.at(revision)).toBeUndefined();
      expect(things.since(revision)).toBeUndefined();
      expect(things.since(store.revision())).toEqual([]);
      expect(keys(things.at(store.revision())?.records() ?? [])).toEqual(["a"]);
    });

    test("an index finds objects by value, in key order, and follows changes", () => {
      for (const key of ["c", "a", "b"]) things.put(key, colored(key, "red"));
      things.put("b", colored("b", "blue"));
      things.remove("c");
      expect(keys(things.byIndex("color", "red"))).toEqual(["a"]);
      expect(keys(things.byIndex("color", "blue"))).toEqual(["b"]);
      expect(keys(things.byIndex("color", "green"))).toEqual([]);
    });

    test("an index that is added later knows what is there, and one that is known is left alone", () => {
      const seen: string[] = [];
      const listener = (events: readonly StoreEvent[]) => seen.push(...events.map(shown));
      things.put("a", colored("a", "red"));
      const size: IndexValues = ({ metadata }) => [String(metadata.name.length)];
      store.addIndexes({ things: { size, color: () => [] } });
      expect(keys(things.byIndex("size", "1"))).toEqual(["a"]);
      expect(keys(things.byIndex("color", "red"))).toEqual(["a"]);
      things.subscribe({ of: "index", index: "size", value: "2" }, listener);
      things.put("bb", thing("bb"));
      return Promise.resolve().then(() => expect(seen).toEqual(["ADDED bb@3"]));
    });

    test("an index that is built with pauses has what was committed in them", () => {
      for (const key of ["a", "b", "c", "d"]) things.put(key, colored(key, "red"));
      const tint: IndexValues = (object) => color(object).map((name) => `${name}ish`);
      const steps = store.addIndexesInSteps({ things: { tint } });
      steps.next();
      steps.next();
      things.put("a", colored("a", "blue")); // read already
      things.put("c", colored("c", "blue")); // not yet
      things.remove("d");
      things.put("e", colored("e", "red"));
      while (steps.next().done !== true);
      expect(keys(things.byIndex("tint", "redish"))).toEqual(["b", "e"]);
      expect(keys(things.byIndex("tint", "blueish"))).toEqual(["a", "c"]);
    });

    test("a snapshot stays as it is", () => {
      for (const key of ["a", "b"]) things.put(key, thing(key));
      const snapshot = things.snapshot();
      things.remove("a");
      things.put("c", thing("c"));
      expect(keys(snapshot.records())).toEqual(["a", "b"]);
      expect(keys(things.records())).toEqual(["b", "c"]);
    });

    test("dependents are found by the UID of their owner, in every collection", () => {
      const owned = { ownerReferences: [{ apiVersion: "v1", kind: "Thing", name: "o", uid: "o" }] };
      things.put("ns/a", thing("a", {}, owned));
      store.collection("others").put("b", thing("b", {}, owned));
      expect(store.ownedBy("o")).toEqual([
        { collection: "others", key: "b" },
        { collection: "things", key: "ns/a" },
      ]);
      things.put("ns/a", thing("a"));
      store.collection("others").remove("b");
      expect(store.ownedBy("o")).toEqual([]);
    });

    test("what is stored is not touched by later writes", () => {
      const stored: StoredJson | undefined = things.put("a", Object.freeze(thing("a"))).record.object;
      things.put("a", thing("a", { step: 2 }));
      expect(stored).toEqual({ ...thing("a"), metadata: { name: "a", uid: "uid-a", resourceVersion: "2" } });
    });
  });
}
