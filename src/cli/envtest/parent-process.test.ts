import { expect, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { onOrphaned, parentVariable, starterOf } from "./parent-process.ts";

const anHour = 3_600_000;

async function orphanedAfter(own: { parent: number; isAlive: boolean }, change: Partial<typeof own>) {
  const clock = new VirtualClock();
  const told: number[] = [];
  const process = { parent: () => own.parent, isAlive: () => own.isAlive };
  onOrphaned(clock, 7, { listener: () => void told.push(clock.now()), own: process });
  await clock.advance(anHour);
  expect(told).toEqual([]);
  Object.assign(own, change);
  const changedAt = clock.now();
  await clock.advance(anHour);
  return told.map((at) => at - changedAt);
}

test("a process is orphaned, and told so once, when it is given to another parent", async () => {
  expect(await orphanedAfter({ parent: 7, isAlive: true }, { parent: 1 })).toEqual([500]);
});

test("a process is orphaned when its parent is gone, where nobody else becomes it", async () => {
  expect(await orphanedAfter({ parent: 7, isAlive: true }, { isAlive: false })).toEqual([500]);
});

test("the program of the folder says who started it: the parent may have ended before Node runs", () => {
  expect(starterOf({ [parentVariable]: "42" })).toBe(42);
  expect([starterOf({}), starterOf({ [parentVariable]: "web" })]).toEqual([process.ppid, process.ppid]);
});
