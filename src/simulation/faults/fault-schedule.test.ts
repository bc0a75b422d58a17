import { expect, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { FaultSchedule } from "./fault-schedule.ts";

function weatherWith(chance: number) {
  const clock = new VirtualClock();
  const struck: string[] = [];
  const weather = new FaultSchedule({
    clock,
    random: seededRandom("weather"),
    probabilities: new Map([["hail", chance]]),
    injected: (fault, what) => struck.push(`${fault} ${JSON.stringify(what)}`),
  });
  return { clock, struck, weather };
}

test("faults strike in a storm and are told, and never when it is over", () => {
  const { weather, struck } = weatherWith(1);
  const strike = () => weather.occurs("hail", () => ({ on: "roof" }));
  expect(strike()).toBe(false);
  weather.start();
  expect(strike()).toBe(true);
  expect(weather.occurs("snow", () => ({}))).toBe(false);
  weather.stop();
  expect(strike()).toBe(false);
  expect(struck).toEqual(['hail {"on":"roof"}']);
});

test("a fault strikes as often as its chance says", () => {
  const { weather, struck } = weatherWith(0.1);
  weather.start();
  for (let count = 0; count < 2000; count++) weather.occurs("hail", () => ({ on: "roof" }));
  expect(Math.abs(struck.length - 200)).toBeLessThan(50);
});

test("a pause lasts as long as it was meant to, or as the storm does", async () => {
  const { weather, clock } = weatherWith(1);
  const begin = clock.now();
  const ends: number[] = [];
  const pause = (durationMs: number) => weather.pause(durationMs).then(() => ends.push(clock.now() - begin));
  await pause(50);
  weather.start();
  void pause(100);
  void pause(1000);
  await clock.advance(500);
  weather.stop();
  await clock.settle();
  expect(ends).toEqual([0, 100, 500]);
});
