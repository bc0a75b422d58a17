import { expect, test } from "vitest";
import type { Clock } from "./clock.ts";

/** A clock and the means to let its time pass. */
export interface ClockUnderTest {
  readonly clock: Clock;
  readonly pass: (durationMs: number) => Promise<void>;
}

/** What every clock promises. */
export function describeClock(name: string, create: () => ClockUnderTest): void {
  test(`${name} runs a task when its time has come, not before`, async () => {
    const { clock, pass } = create();
    const seen: number[] = [];
    const start = clock.now();
    clock.after(100, () => seen.push(clock.now() - start));
    await pass(99);
    expect(seen).toEqual([]);
    await pass(1);
    expect(seen).toEqual([100]);
  });

  test(`${name} runs tasks by time, and tasks of one instant in the order they came`, async () => {
    const { clock, pass } = create();
    const seen: string[] = [];
    for (const [task, delayMs] of [
      ["late", 20],
      ["first", 10],
      ["second", 10],
      ["now", 0],
      ["past", -5],
    ] as const) {
      clock.after(delayMs, () => seen.push(task));
    }
    expect(seen).toEqual([]);
    await pass(20);
    expect(seen).toEqual(["now", "past", "first", "second", "late"]);
  });

  test(`${name} forgets a cancelled task`, async () => {
    const { clock, pass } = create();
    const seen: string[] = [];
    const timer = clock.after(10, () => seen.push("cancelled"));
    clock.after(10, () => seen.push("kept"));
    timer.cancel();
    await pass(10);
    timer.cancel();
    expect(seen).toEqual(["kept"]);
  });

  test(`${name} keeps a delay that does not fit a 32-bit timer`, async () => {
    const { clock, pass } = create();
    const fifty_days = 50 * 24 * 3600 * 1000;
    let ran = false;
    clock.after(fifty_days, () => (ran = true));
    await pass(fifty_days - 1);
    expect(ran).toBe(false);
    await pass(1);
    expect(ran).toBe(true);
  });

  test(`${name} wakes a sleeper with what its signal was aborted for`, async () => {
    const { clock, pass } = create();
    const controller = new AbortController();
    const sleeping = clock.sleep(1000, controller.signal);
    const enough = new Error("enough");
    controller.abort(enough);
    await expect(sleeping).rejects.toBe(enough);
    await expect(clock.sleep(1, controller.signal)).rejects.toBe(enough);
    await pass(1000);
  });

  test(`${name} lets a sleeper sleep its time`, async () => {
    const { clock, pass } = create();
    let awake = false;
    const sleeping = clock.sleep(5).then(() => (awake = true));
    await pass(4);
    expect(awake).toBe(false);
    await pass(1);
    await sleeping;
    expect(awake).toBe(true);
  });
}
