import { expect, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { FaultSchedule } from "./fault-schedule.ts";

function weatherWith(chance: number) {
  const clock = new VirtualClock();
  const struck: string[] = [];
  const schedule = new FaultSchedule({
    clock,
    random: seededRandom("weather"),
    probabilities: new Map([["hail", chance]]),
    injected: (fault, what) => struck.push(`${fault} ${JSON.stringify(what)}`),
  });
  return { clock, struck, schedule };
}

test("faults strike in a storm and are told, and never when it is over", () => {
  const { schedule, struck } = weatherWith(1);
  const strike = () => schedule.occurs("hail", () => ({ on: "roof" }));
  expect(strike()).toBe(false);
  schedule.start();
  expect(strike()).toBe(true);
  expect(schedule.occurs("snow", () => ({}))).toBe(false);
  schedule.stop();
  expect(strike()).toBe(false);
  expect(struck).toEqual(['hail {"on":"roof"}']);
});

test("a fault strikes as often as its chance says", () => {
  const { schedule, struck } = weatherWith(0.1);
  schedule.start();
  for (let count = 0; count < 2000; count++) schedule.occurs("hail", () => ({ on: "roof" }));
  expect(Math.abs(struck.length - 200)).toBeLessThan(50);
});

test("a pause lasts as long as it was meant to, or as the storm does", async () => {
  const { schedule, clock } = weatherWith(1);
  const begin = clock.now();
  const ends: number[] = [];
  const pause = (durationMs: number) => schedule.pause(durationMs).then(() => ends.push(clock.now() - begin));
  await pause(50);
  schedule.start();
  void pause(100);
  void pause(1000);
  await clock.advance(500);
  schedule.stop();
  await clock.settle();
  expect(ends).toEqual([0, 100, 500]);
});
