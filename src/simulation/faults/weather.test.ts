import { expect, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { Weather } from "./weather.ts";

function weatherWith(chance: number) {
  const clock = new VirtualClock();
  const struck: string[] = [];
  const weather = new Weather({
    clock,
    random: seededRandom("weather"),
    chances: new Map([["hail", chance]]),
    struck: (fault, what) => struck.push(`${fault} ${JSON.stringify(what)}`),
  });
  return { clock, struck, weather };
}

test("faults strike in a storm and are told, and never when it is over", () => {
  const { weather, struck } = weatherWith(1);
  const strike = () => weather.strikes("hail", () => ({ on: "roof" }));
  expect(strike()).toBe(false);
  weather.begin();
  expect(strike()).toBe(true);
  expect(weather.strikes("snow", () => ({}))).toBe(false);
  weather.end();
  expect(strike()).toBe(false);
  expect(struck).toEqual(['hail {"on":"roof"}']);
});

test("a fault strikes as often as its chance says", () => {
  const { weather, struck } = weatherWith(0.1);
  weather.begin();
  for (let count = 0; count < 2000; count++) weather.strikes("hail", () => ({ on: "roof" }));
  expect(Math.abs(struck.length - 200)).toBeLessThan(50);
});

test("a pause lasts as long as it was meant to, or as the storm does", async () => {
  const { weather, clock } = weatherWith(1);
  const begin = clock.now();
  const ends: number[] = [];
  const pause = (durationMs: number) => weather.pause(durationMs).then(() => ends.push(clock.now() - begin));
  await pause(50);
  weather.begin();
  void pause(100);
  void pause(1000);
  await clock.advance(500);
  weather.end();
  await clock.settle();
  expect(ends).toEqual([0, 100, 500]);
});
