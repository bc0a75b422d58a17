import { expect, test } from "vitest";
import type { IndexValues } from "./field-index.ts";
import { color, colored, keys, shown, thing, type StoreFixture } from "./store-fixture.contract.ts";
import type { StoreEvent } from "./store.ts";

/** What is found by values and by owners. */
export function indexContract(use: () => StoreFixture): void {
  test("an index finds objects by value, in key order, and follows changes", () => {
    const { things } = use();
    for (const key of ["c", "a", "b"]) things.put(key, colored(key, "red"));
    things.put("b", colored("b", "blue"));
    things.remove("c");
    expect(keys(things.byIndex("color", "red"))).toEqual(["a"]);
    expect(keys(things.byIndex("color", "blue"))).toEqual(["b"]);
    expect(keys(things.byIndex("color", "green"))).toEqual([]);
  });

  test("an index that is added later knows what is there, and one that is known is left alone", () => {
    const { store, things } = use();
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
    const { store, things } = use();
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

  test("dependents are found by the UID of their owner, in every collection", () => {
    const { store, things } = use();
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
}
