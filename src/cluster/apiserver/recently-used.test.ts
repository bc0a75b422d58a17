import { expect, test } from "vitest";
import { RecentlyUsed } from "./recently-used.ts";

test("what is used again is kept, and the rest is forgotten in time", () => {
  const kept = new RecentlyUsed<number>(2);
  kept.set("used", 1);
  kept.set("unused", 2);
  for (let index = 0; index < 10; index++) {
    kept.set(`other ${index}`, index);
    expect(kept.get("used")).toBe(1);
  }
  expect(kept.get("unused")).toBeUndefined();
});

test("a key has its latest value", () => {
  const kept = new RecentlyUsed<number>(1);
  kept.set("a", 1);
  kept.set("b", 2);
  kept.set("a", 3);
  expect(kept.get("a")).toBe(3);
});
