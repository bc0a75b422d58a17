import { expect, test } from "vitest";
import { keys, thing, type StoreFixture } from "./store-fixture.contract.ts";

/** States of the past. */
export function viewContract(use: () => StoreFixture): void {
  test("a view is the state at its revision, whatever happens afterwards", () => {
    const { store, things } = use();
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
    const { store, things } = use();
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
    const { clock, store, things } = use();
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
    const { store, things } = use();
    things.put("a", thing("a"));
    const future = store.revision() + 2;
    expect(things.at(future)).toBeUndefined();
    things.put("b", thing("b"));
    things.put("c", thing("c"));
    expect(keys(things.at(future)?.records() ?? [])).toEqual(["a", "b", "c"]);
  });

  test("few views outlive history: the oldest makes room", () => {
    const { store, things } = use();
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
    const { store, things } = use();
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
    const { store, things } = use();
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

  test("a snapshot stays as it is", () => {
    const { things } = use();
    for (const key of ["a", "b"]) things.put(key, thing(key));
    const snapshot = things.snapshot();
    things.remove("a");
    things.put("c", thing("c"));
    expect(keys(snapshot.records())).toEqual(["a", "b"]);
    expect(keys(things.records())).toEqual(["b", "c"]);
  });
}
