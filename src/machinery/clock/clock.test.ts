import { expect, test } from "vitest";
import { AdjustableClock } from "./adjustable-clock.ts";
import { type Clock, networkClock } from "./clock.ts";
import { describeClock } from "./clock.contract.ts";
import { TimerHeap } from "./timer-heap.ts";
import { drainMicrotasks, VirtualClock } from "./virtual-clock.ts";
import { type Host, WallClock } from "./wall-clock.ts";

describeClock("the virtual clock", () => {
  const clock = new VirtualClock();
  return { clock, pass: (durationMs) => clock.advance(durationMs) };
});

describeClock("the wall clock", () => {
  const host = steppedHost();
  return { clock: new WallClock(host), pass: (durationMs) => host.pass(durationMs) };
});

for (const speed of [1, 10, 0.5]) {
  describeClock(`the adjustable clock at speed ${speed}`, () => {
    const { clock, pass } = adjustable();
    clock.setSpeed(speed);
    return { clock, pass: (durationMs) => pass(durationMs / speed) };
  });
}

describeClock("the adjustable clock, paused and advanced,", () => {
  const { clock } = adjustable();
  clock.pause();
  return { clock, pass: (durationMs) => clock.advance(durationMs) };
});

/** An adjustable clock, and a function that lets wall time pass. */
function adjustable() {
  const host = steppedHost();
  const wall = new WallClock(host);
  const clock = new AdjustableClock(wall);
  const pass = async (durationMs: number) => {
    await host.pass(durationMs);
    for (let turn = 0; turn < 5; turn++) await drainMicrotasks();
  };
  return { clock, wall, pass };
}

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
    await host.pass(3);
  };

  expect(clock.yieldToEventLoop()).toBeUndefined();
  await host.pass(3);
  expect(clock.yieldToEventLoop()).toBeUndefined();
  await host.pass(1);
  for (const name of ["a", "b", "c"]) void work(name);
  expect(seen).toEqual([]);
  await turn();
  expect(seen).toEqual(["a", "b"]); // six milliseconds: the third has to wait again
  await turn();
  expect(seen).toEqual(["a", "b", "c"]);
});

test.for([
  { name: "virtual", create: () => withSettle(new VirtualClock(), (clock) => clock.settle()) },
  { name: "wall", create: () => withSettle(new WallClock(), drainMicrotasks) },
  // An advance ends when all work that can go on has gone on.
  { name: "adjustable", create: () => withSettle(new AdjustableClock(), (clock) => clock.advance(0)) },
  // Nothing runs the clock below it meanwhile.
  {
    name: "adjustable virtual",
    create: () => withSettle(new AdjustableClock(new VirtualClock()), (clock) => clock.advance(0)),
  },
])("what waits until all is idle runs after the promises of the instant: $name clock", async ({ create }) => {
  const { clock, settle } = create();
  const seen: string[] = [];
  const chain = async (name: string) => {
    for (let depth = 0; depth < 100; depth++) await Promise.resolve();
    seen.push(name);
  };
  clock.whenIdle(() => {
    seen.push("idle");
    void chain("caused by it");
    clock.whenIdle(() => seen.push("idle again"));
  });
  void chain("promises");
  await settle();
  await settle();
  expect(seen).toEqual(["promises", "idle", "caused by it", "idle again"]);
});

function withSettle<C extends Clock>(clock: C, settle: (clock: C) => Promise<void>) {
  return { clock, settle: () => settle(clock) };
}

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

test("an adjustable clock is the wall clock until it is adjusted, and its network clock ever after", async () => {
  const { clock, wall, pass } = adjustable();
  await pass(1000);
  expect(clock.state).toEqual({ now: 1000, speed: 1, isPaused: false, aheadMs: 0 });
  clock.setSpeed(10);
  await pass(1000);
  expect(clock.state).toEqual({ now: 11_000, speed: 10, isPaused: false, aheadMs: 9000 });
  expect(wall.now()).toBe(2000);
  expect(networkClock(clock)).toBe(wall);
});

test("a paused clock stands still, runs what is due at its instant, and goes on where it stood", async () => {
  const { clock, pass } = adjustable();
  const seen: string[] = [];
  clock.after(100, () => seen.push("later"));
  await pass(60);
  clock.pause();
  clock.after(0, () => seen.push("now"));
  await pass(5000);
  expect(seen).toEqual(["now"]);
  expect(clock.state).toEqual({ now: 60, speed: 1, isPaused: true, aheadMs: -5000 });
  clock.resume();
  await pass(39);
  expect(seen).toEqual(["now"]);
  await pass(1);
  expect(seen).toEqual(["now", "later"]);
});

test("a timer that was set at one speed runs at the instant it was set for, whatever the speeds after that", async () => {
  const { clock, pass } = adjustable();
  const seen: number[] = [];
  clock.after(1000, () => seen.push(clock.now()));
  await pass(100);
  clock.setSpeed(10);
  await pass(80);
  clock.setSpeed(0.5);
  await pass(199);
  expect(seen).toEqual([]);
  await pass(1);
  expect(seen).toEqual([1000]);
});

test("time that is advanced passes from timer to timer, with the work of each in between, and then runs on", async () => {
  const { clock, pass } = adjustable();
  const seen: string[] = [];
  const note = (what: string) => seen.push(`${what} at ${clock.now()}`);
  clock.after(1000, () => {
    note("begun");
    void clock.sleep(29_000).then(() => note("ended"));
  });
  clock.after(40_000, () => note("late"));
  await Promise.all([clock.advance(20_000), clock.advance(10_000)]);
  expect(seen).toEqual(["begun at 1000", "ended at 30000"]);
  expect(clock.now()).toBe(30_000);
  await pass(10_000);
  expect(seen.at(-1)).toBe("late at 40000");
});

test("what one task causes runs before the next task, though both are due", async () => {
  const { clock, pass } = adjustable();
  const seen: string[] = [];
  const second = { cancel: () => undefined as void };
  clock.after(10, () => {
    seen.push("first");
    void Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => second.cancel());
  });
  const timer = clock.after(10, () => seen.push("second"));
  second.cancel = () => timer.cancel();
  await pass(10);
  expect(seen).toEqual(["first"]);
});

test("time does not go back when a fast clock is advanced by less than passes meanwhile", async () => {
  let wall = 0;
  let tick = 1;
  const clock = new AdjustableClock(new WallClock({ ...steppedHost(), elapsed: () => (wall += tick) }));
  clock.setSpeed(1000);
  let seen = 0;
  clock.after(0, () => {
    seen = clock.elapsed();
    tick = 0;
  });
  await clock.advance(1);
  expect(clock.elapsed()).toBeGreaterThan(seen);
});

test("after an advance the next timer is waited for, not the one that was waited for before", async () => {
  const { clock, pass } = adjustable();
  const seen: number[] = [];
  clock.after(1_200_000, () => void clock.after(2_410_000, () => seen.push(clock.now())));
  await clock.advance(3_600_000);
  await pass(10_000);
  expect(seen).toEqual([3_610_000]);
});

test("a clock with no timer left keeps no timer of the host", () => {
  const timers = new Set<object>();
  const clock = new AdjustableClock(
    new WallClock({
      now: () => 0,
      setTimeout: () => {
        const handle = {};
        timers.add(handle);
        return handle;
      },
      clearTimeout: (handle) => void timers.delete(handle as object),
    }),
  );
  const [first, second] = [clock.after(1000, () => undefined), clock.after(2000, () => undefined)];
  expect(timers.size).toBe(1);
  first.cancel();
  expect(timers.size).toBe(1);
  second.cancel();
  expect(timers.size).toBe(0);
});

test.for([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("a clock has no speed %d", (speed) => {
  expect(() => adjustable().clock.setSpeed(speed)).toThrow("a speed is a number above 0");
});

test("timers that were cancelled are not kept until they would have been due", () => {
  const heap = new TimerHeap();
  const kept = heap.add(5, () => undefined);
  for (let at = 0; at < 10_000; at++) heap.add(1_000_000 - at, () => undefined).cancel();
  kept.cancel();
  kept.cancel();
  heap.add(7, () => undefined);
  expect(heap.size).toBeLessThan(2000);
  expect(heap.nextAt()).toBe(7);
});
