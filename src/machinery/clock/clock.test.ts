import { expect, test } from "vitest";
import { describeClock } from "./clock.contract.ts";
import { TimerHeap } from "./timer-heap.ts";
import { VirtualClock } from "./virtual-clock.ts";
import { type Host, WallClock } from "./wall-clock.ts";

describeClock("the virtual clock", () => {
  const clock = new VirtualClock();
  return { clock, pass: (durationMs) => clock.advance(durationMs) };
});

describeClock("the wall clock", () => {
  const host = steppedHost();
  return { clock: new WallClock(host), pass: (durationMs) => host.pass(durationMs) };
});

/** A host whose time passes when told, with the 32-bit delays of a real one. */
function steppedHost(): Host & { pass(durationMs: number): Promise<void> } {
  let now = 0;
  const timers = new TimerHeap();
  return {
    now: () => now,
    setTimeout: (task, delayMs) => timers.add(now + (delayMs > 2 ** 31 - 1 ? 1 : delayMs), task),
    clearTimeout: (handle) => (handle as { cancel(): void }).cancel(),
    async pass(durationMs) {
      const end = now + durationMs;
      for (let at = timers.nextAt(); at !== undefined && at <= end; at = timers.nextAt()) {
        now = at;
        timers.takeNext()?.();
        await Promise.resolve();
      }
      now = end;
    },
  };
}

test("the wall clock measures in fractions of a millisecond", () => {
  const clock = new WallClock();
  const readings = Array.from({ length: 1000 }, () => clock.elapsed());
  expect(readings.some((reading) => !Number.isInteger(reading))).toBe(true);
  expect(readings.toSorted((a, b) => a - b)).toEqual(readings);
});

test("requests are served while promises chain on in wall time", async () => {
  const clock = new WallClock();
  const seen: string[] = [];
  clock.after(0, () => seen.push("request"));
  const end = clock.elapsed() + 1000;
  while (seen.length === 0 && clock.elapsed() < end) {
    await Promise.resolve();
    await clock.yieldToEventLoop();
  }
  expect(seen).toEqual(["request"]);
});

test("work that has just begun need not yield to the event loop, work that goes on for long has to", async () => {
  const host = steppedHost();
  const immediates: (() => void)[] = [];
  const clock = new WallClock({ ...host, setImmediate: (task) => void immediates.push(task) });
  const turn = async () => {
    for (const task of immediates.splice(0)) {
      task();
      for (let depth = 0; depth < 10; depth++) await Promise.resolve();
    }
  };
  const seen: string[] = [];
  const work = async (name: string) => {
    await clock.yieldToEventLoop();
    seen.push(name);
    await host.pass(5);
  };

  expect(clock.yieldToEventLoop()).toBeUndefined();
  await host.pass(7);
  expect(clock.yieldToEventLoop()).toBeUndefined();
  await host.pass(1);
  for (const name of ["a", "b", "c"]) void work(name);
  expect(seen).toEqual([]);
  await turn();
  expect(seen).toEqual(["a", "b"]); // ten milliseconds: the third has to wait again
  await turn();
  expect(seen).toEqual(["a", "b", "c"]);
});

test("virtual time stands still while promises chain on, however deep", async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  clock.after(10, () => seen.push("timer"));
  const chain = async () => {
    for (let depth = 0; depth < 1000; depth++) await Promise.resolve();
    seen.push("chain");
  };
  void chain();
  await clock.advance(10);
  expect(seen).toEqual(["chain", "timer"]);
});

test("virtual time stands still while work outside the process is held", async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  let flushed: () => void = () => undefined;
  const flush = new Promise<void>((resolve) => (flushed = resolve));
  void clock.hold(flush).then(() => seen.push("flushed"));
  clock.after(10, () => seen.push("timer"));
  const running = clock.advance(10);
  await Promise.resolve();
  expect(seen).toEqual([]);
  flushed();
  await running;
  expect(seen).toEqual(["flushed", "timer"]);
});

test("a timer set by a timer of the same instant runs in that instant", async () => {
  const clock = new VirtualClock();
  const start = clock.now();
  const seen: number[] = [];
  clock.after(5, () => clock.after(0, () => seen.push(clock.now() - start)));
  await clock.advance(100);
  expect(seen).toEqual([5]);
  expect(clock.now() - start).toBe(100);
});

test("running while something is pending stops at the instant it no longer is, and says whether it came to that", async () => {
  const clock = new VirtualClock();
  const start = clock.now();
  let left = 3;
  for (const delayMs of [10, 20, 30, 40]) clock.after(delayMs, () => left--);
  expect(await clock.runWhile(() => left > 0, start + 1000)).toBe(true);
  expect(clock.now() - start).toBe(30);
  expect(await clock.runWhile(() => left > -5, start + 1000)).toBe(false);
});
