import { expect, test } from "vitest";
import { VirtualClock } from "./clock/virtual-clock.ts";
import { attemptAll } from "./attempt-all.ts";

const items = Array.from({ length: 120 }, (_, index) => index);
const clock = new VirtualClock();

test("every item is tried, and the errors are returned in the order they occurred", async () => {
  const tried: number[] = [];
  const attempt = async (item: number) => {
    tried.push(item);
    if (item % 50 === 7) throw new Error(`no ${item}`);
  };
  const errors = await attemptAll(items, attempt, clock);
  expect(tried).toEqual(items);
  expect(errors).toEqual([new Error("no 7"), new Error("no 57"), new Error("no 107")]);
});

test("no request waits for the response to another", async () => {
  let underWay = 0;
  let most = 0;
  const attempt = async () => {
    most = Math.max(most, ++underWay);
    await clock.sleep(1000);
    underWay--;
  };
  const attempted = attemptAll(items, attempt, clock);
  await clock.advance(1000);
  await attempted;
  expect(most).toBe(items.length);
});

test("the event loop does I/O between requests when that is due", async () => {
  const seen: unknown[] = [];
  const busy = Object.assign(new VirtualClock(), {
    yieldToEventLoop: () =>
      seen.length % 3 === 2 ? Promise.resolve().then(() => void seen.push("I/O")) : undefined,
  });
  await attemptAll([1, 2, 3, 4], async (item) => void seen.push(item), busy);
  expect(seen).toEqual([1, 2, "I/O", 3, 4]);
});

test("nothing to try is no failure", async () => {
  expect(await attemptAll([], () => Promise.reject(new Error("never")), clock)).toEqual([]);
});
