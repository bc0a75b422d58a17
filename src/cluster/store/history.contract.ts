import { expect, test } from "vitest";
import { shown, thing, type StoreFixture } from "./store-fixture.contract.ts";

/** How far back events are kept, and of what size. */
export function historyContract(use: () => StoreFixture): void {
  test("history answers what came after a revision, until that is too long ago", async () => {
    const { clock, store, things } = use();
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
    const { store, things } = use();
    const start = store.revision();
    for (let step = 0; step < 50; step++) things.put("a", thing("a", { step }));
    expect(things.since(start + 41)).toBeUndefined();
    expect(things.since(start + 42)?.length).toBe(8);
  });

  test("a large object that is rewritten often is kept a few times, and whoever resumes before that lists again", () => {
    const { store, things } = use();
    const large = "x".repeat(30_000);
    const start = store.revision();
    for (let step = 0; step < 6; step++) things.put("a", thing("a", { step, large }));
    expect(things.since(start + 2)).toBeUndefined();
    expect(things.since(start + 3)?.length).toBe(3);
    expect(things.at(start + 2)).toBeUndefined();
  });

  test("large objects that are deleted are kept a few times, and those that are stored do not count", () => {
    const { store, things } = use();
    const large = "x".repeat(30_000);
    const start = store.revision();
    for (const key of ["a", "b", "c", "d", "e"]) things.put(key, thing(key, { large }));
    expect(things.since(start)?.length).toBe(5);
    for (const key of ["a", "b", "c", "d", "e"]) things.remove(key);
    expect(things.since(start + 7)?.length).toBe(3);
    expect(things.since(start + 6)).toBeUndefined();
  });

  test("the history of large objects makes room, that of small ones in other collections stays", () => {
    const { store, things } = use();
    const start = store.revision();
    const small = store.collection("small");
    for (const step of [1, 2]) small.put("a", thing("a", { step }));
    for (let step = 0; step < 6; step++) things.put("a", thing("a", { step, large: "x".repeat(30_000) }));
    expect(small.since(start)?.length).toBe(2);
  });

  test("other collections do not use up a history", () => {
    const { store, things } = use();
    const start = store.revision();
    things.put("a", thing("a"));
    for (let step = 0; step < 50; step++) store.collection("busy").put("a", thing("a", { step }));
    expect(things.since(start)?.length).toBe(1);
    expect(things.since(store.revision())).toEqual([]);
  });
}
