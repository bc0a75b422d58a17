import { expect, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { StatusWriteBackoff } from "./status-write-backoff.ts";

test("a new status is written at once, one that was overwritten more and more slowly, and after a while at once again", async () => {
  const clock = new VirtualClock();
  const backoff = new StatusWriteBackoff(clock);
  const waits: number[] = [];
  const insist = async () => {
    waits.push(backoff.waitMs("a", { replicas: 1 }));
    await clock.advance(waits.at(-1) ?? 0);
    backoff.recordWrite("a", { replicas: 1 });
  };
  for (let round = 0; round < 4; round++) await insist();
  expect(waits).toEqual([0, 10, 20, 40]);
  expect(backoff.waitMs("a", { replicas: 2 })).toBe(0);
  expect(backoff.waitMs("b", { replicas: 1 })).toBe(0);
  await clock.advance(600_000);
  await insist();
  await insist();
  expect(waits.slice(4)).toEqual([0, 10]);
});
