import { expect, test } from "vitest";
import { nameSuffix, newUid } from "./identifiers.ts";
import { type Random, randomInt, seededRandom } from "./random.ts";
import { randomStreams } from "./random-streams.ts";
import { newSecret, systemRandom } from "./system-random.ts";

const draw = (random: Random, count: number) => Array.from({ length: count }, () => random.next());

test("the same seed gives the same numbers, another seed others", () => {
  expect(draw(seededRandom(7), 5)).toEqual(draw(seededRandom("7"), 5));
  expect(draw(seededRandom(7), 5)).not.toEqual(draw(seededRandom(8), 5));
});

test("a fork is not disturbed by what its parent draws", () => {
  const quiet = seededRandom("seed");
  const busy = seededRandom("seed");
  draw(busy, 100);
  expect(draw(busy.fork("uids"), 5)).toEqual(draw(quiet.fork("uids"), 5));
  expect(draw(quiet.fork("names"), 5)).not.toEqual(draw(quiet.fork("uids"), 5));
});

test("each stream of a source is made once, and is not disturbed by what the others draw", () => {
  const quiet = randomStreams(seededRandom("seed"));
  const busy = randomStreams(seededRandom("seed"));
  draw(busy("roles"), 100);
  const first = draw(busy("pods"), 5);
  expect(first).toEqual(draw(quiet("pods"), 5));
  expect(draw(busy("pods"), 5)).not.toEqual(first);
});

test("numbers are spread evenly over [0, 1)", () => {
  const buckets = Array.from({ length: 16 }, () => 0);
  const random = seededRandom("even");
  for (let index = 0; index < 160_000; index++) {
    const bucket = randomInt(random, 16);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  for (const count of buckets) expect(Math.abs(count - 10_000)).toBeLessThan(500);
});

test("a UID is a version 4 UUID and a suffix uses the letters of generated names", () => {
  const random = seededRandom("ids");
  expect(newUid(random)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(nameSuffix(random)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(new Set(Array.from({ length: 10_000 }, () => newUid(random))).size).toBe(10_000);
});

test("system streams differ", () => {
  expect(draw(systemRandom(), 3)).not.toEqual(draw(systemRandom(), 3));
  expect(newSecret()).toMatch(/^[0-9a-f]{64}$/);
});
