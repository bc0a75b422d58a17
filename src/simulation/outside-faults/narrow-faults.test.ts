import * as fc from "fast-check";
import { expect, test } from "vitest";
import { narrowFaults } from "./narrow-faults.ts";

const faults = (count: number) => Array.from({ length: count }, (_, index) => `fault ${index}`);

/** Fails when all of these are among the faults. */
const needing = (needed: readonly string[]) => async (identities: readonly string[]) =>
  needed.every((each) => identities.includes(each));

test("what breaks something together is found among many faults", async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(faults(40), { minLength: 1, maxLength: 3 }), async (needed) => {
      const { identities, isSmallest } = await narrowFaults(faults(40), needing(needed), 1000);
      expect(identities).toEqual(needed);
      expect(isSmallest).toBe(true);
    }),
  );
});

test("one fault among a hundred is found in few runs", async () => {
  const { identities, runs } = await narrowFaults(faults(100), needing(["fault 71"]), 1000);
  expect(identities).toEqual(["fault 71"]);
  expect(runs).toBeLessThanOrEqual(14);
});

test("when the runs do not suffice, the smallest set so far is returned, and that it may not be the smallest", async () => {
  const narrowed = await narrowFaults(faults(64), needing(["fault 1", "fault 63"]), 5);
  expect(narrowed.isSmallest).toBe(false);
  expect(narrowed.runs).toBe(5);
  expect(narrowed.identities).toEqual(expect.arrayContaining(["fault 1", "fault 63"]));
});

test("a single fault is not run again", async () => {
  expect(await narrowFaults(["only"], needing(["only"]), 10)).toEqual({
    identities: ["only"],
    runs: 0,
    isSmallest: true,
  });
});
