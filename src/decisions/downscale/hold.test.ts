import * as fc from "fast-check";
import { expect, test } from "vitest";
import { continueHold, type Hold, nextLimitAt, overdueIn, readHold, writeHold } from "./hold.ts";

const minute = 60_000;
const start = 1_767_225_600_000;

const held = (pods: number, minutes = 0, before?: Hold, size = 5): Hold =>
  continueHold(before, { size, pods, now: start + minutes * minute });

test("more Pods have a beginning of their own, and those that waited keep theirs", () => {
  const hold = held(3, 20, held(1));
  expect(writeHold(hold)).toBe("5_1.1767225600_2.1767226800");
  expect(overdueIn(hold, 30 * minute, start + 30 * minute)).toBe(1);
  expect(overdueIn(hold, 30 * minute, start + 50 * minute)).toBe(3);
  expect(nextLimitAt(hold, 30 * minute)).toBe(start + 30 * minute);
});

test("when fewer are held, the longest waiting are taken to be those that went", () => {
  expect(writeHold(held(2, 25, held(3, 20, held(1))))).toBe("5_2.1767226800");
});

test("a larger size begins anew, a smaller one does not", () => {
  const before = held(2);
  expect(writeHold(held(1, 10, before, 6))).toBe("6_1.1767226200");
  expect(writeHold(held(2, 10, before, 4))).toBe("4_2.1767225600");
});

test("a beginning is rounded up to a second, so that no Pod goes before its limit", () => {
  const hold = continueHold(undefined, { size: 0, pods: 1, now: start + 1 });
  expect(hold.steps[0]?.since).toBe(start + 1000);
});

test.for(["", "true", "5", "5_", "5_1", "5_1.x", "-1_1.1", "5_1.1767225600 "])(
  "a label of %j is no hold",
  (text) => {
    expect(readHold(text)).toBeUndefined();
  },
);

test("whatever is held, the label can be stored and read again, and no Pod is lost in it", () => {
  const change = fc.record({
    size: fc.nat(9),
    pods: fc.integer({ min: 1, max: 100_000 }),
    after: fc.nat(99),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
      let hold: Hold | undefined;
      let now = start;
      for (const { size, pods, after } of changes) {
        now += after * minute;
        hold = continueHold(hold, { size, pods, now });
        const label = writeHold(hold);
        expect(label).toMatch(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/);
        expect(readHold(label)).toEqual(hold);
        expect(hold.steps.reduce((sum, step) => sum + step.pods, 0)).toBe(pods);
      }
    }),
  );
});
