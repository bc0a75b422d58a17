import { expect, test } from "vitest";
import { keys, shown, thing, type StoreFixture } from "./store-fixture.contract.ts";

/** What subscribers are told. */
export function subscriptionContract(use: () => StoreFixture): void {
  test("subscribers see every later event in order, none merged, never synchronously", async () => {
    const { clock, store, things } = use();
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
    const { clock, store, things } = use();
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
    const { clock, things } = use();
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
    const { clock, things } = use();
    const seen: string[] = [];
    const end = things.subscribe({ of: "all" }, (events) => seen.push(...events.map(shown)));
    things.put("a", thing("a"));
    end();
    await clock.settle();
    expect(seen).toEqual([]);
  });
}
