import { expect, test } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { controllerRateLimiter, exponentialLimiter, tokenBucketLimiter } from "./rate-limiting-queue.ts";

const times = <T>(count: number, task: () => T) => Array.from({ length: count }, task);

test("each key has its own exponential delay, up to a cap that holds for ever", () => {
  const limiter = exponentialLimiter({ initialMs: 5, maxMs: 1_000_000 });
  expect(times(5, () => limiter.nextDelayMs("a"))).toEqual([5, 10, 20, 40, 80]);
  expect(limiter.nextDelayMs("b")).toBe(5);
  times(2000, () => limiter.nextDelayMs("a"));
  expect(limiter.nextDelayMs("a")).toBe(1_000_000);
  limiter.forget("a");
  expect(limiter.nextDelayMs("a")).toBe(5);
});

test("a token bucket lets a burst through, then makes everyone wait in line", async () => {
  const clock = new VirtualClock();
  const limiter = tokenBucketLimiter(clock, 10, 3);
  expect(times(5, () => limiter.nextDelayMs("a"))).toEqual([0, 0, 0, 100, 200]);
  await clock.advance(250);
  expect(limiter.nextDelayMs("b")).toBe(50);
  await clock.advance(3_600_000);
  expect(times(4, () => limiter.nextDelayMs("a"))).toEqual([0, 0, 0, 100]);
});

test("a controller's limiter is as slow as the slower of both", () => {
  const limiter = controllerRateLimiter(new VirtualClock());
  const delays = times(102, () => limiter.nextDelayMs("a"));
  expect(delays.slice(0, 3)).toEqual([5, 10, 20]);
  expect(delays[101]).toBe(1_000_000);
  expect(limiter.nextDelayMs("b")).toBe(300);
  expect(limiter.retries("a")).toBe(102);
});
