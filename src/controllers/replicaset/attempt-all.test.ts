import { expect, test } from "vitest";
import { attemptAll } from "./attempt-all.ts";

const items = Array.from({ length: 120 }, (_, index) => index);

test("every item is tried, and the errors are returned in the order they occurred", async () => {
  const tried: number[] = [];
  const errors = await attemptAll(items, async (item) => {
    tried.push(item);
    if (item % 50 === 7) throw new Error(`no ${item}`);
  });
  expect(tried).toEqual(items);
  expect(errors).toEqual([new Error("no 7"), new Error("no 57"), new Error("no 107")]);
});

test("no more than fifty are under way at a time", async () => {
  let underWay = 0;
  let most = 0;
  await attemptAll(items, async () => {
    most = Math.max(most, ++underWay);
    await Promise.resolve();
    await Promise.resolve();
    underWay--;
  });
  expect(most).toBe(50);
});

test("nothing to try is no failure", async () => {
  expect(await attemptAll([], () => Promise.reject(new Error("never")))).toEqual([]);
});
