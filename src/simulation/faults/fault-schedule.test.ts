import { expect, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { FaultSchedule } from "./fault-schedule.ts";

function scheduleWith(probability: number) {
  const clock = new VirtualClock();
  const injected: string[] = [];
  const schedule = new FaultSchedule({
    clock,
    random: seededRandom("schedule"),
    probabilities: new Map([["lost-request", probability]]),
    injected: (fault, what) => injected.push(`${fault} ${JSON.stringify(what)}`),
  });
  return { clock, injected, schedule };
}

test("faults are injected and recorded between start and stop only", () => {
  const { schedule, injected } = scheduleWith(1);
  const occurs = () => schedule.occurs("lost-request", () => ({ name: "web" }));
  expect(occurs()).toBe(false);
  schedule.start();
  expect(occurs()).toBe(true);
  expect(schedule.occurs("overload", () => ({}))).toBe(false);
  schedule.stop();
  expect(occurs()).toBe(false);
  expect(injected).toEqual(['lost-request {"name":"web"}']);
});

test("a fault occurs as often as its probability says", () => {
  const { schedule, injected } = scheduleWith(0.1);
  schedule.start();
  for (let count = 0; count < 2000; count++) schedule.occurs("lost-request", () => ({ name: "web" }));
  expect(Math.abs(injected.length - 200)).toBeLessThan(50);
});

test("a pause lasts as long as asked for, or until the schedule stops", async () => {
  const { schedule, clock } = scheduleWith(1);
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
