import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addTiedPoints, type TiedComparison } from "./tied-points.ts";

/** What the steps say about two Pods, one by one. */
function compare({ steps, ranks }: TiedComparison, one: number, other: number): number {
  for (const { numbers, isByUid } of steps) {
    const [a = 0, b = 0] = [numbers[one], numbers[other]];
    if (a === b) continue;
    if (isByUid) return Math.sign((ranks[one] ?? 0) - (ranks[other] ?? 0));
    return a < b ? -1 : 1;
  }
  return 0;
}

const anyComparison = fc.integer({ min: 1, max: 12 }).chain((size) => {
  const numbers = fc
    .array(fc.constantFrom(0, 1, 2, Number.POSITIVE_INFINITY), { minLength: size, maxLength: size })
    .map((values) => Float64Array.from(values));
  return fc.record({
    steps: fc.array(fc.record({ numbers, isByUid: fc.boolean() }), { maxLength: 4 }),
    ranks: fc.array(fc.nat(6), { minLength: size, maxLength: size }).map((values) => Int32Array.from(values)),
  });
});

test("points are those of comparing every Pod with every other", () => {
  fc.assert(
    fc.property(anyComparison, (comparison) => {
      const pods = [...comparison.ranks.keys()];
      const points = new Float64Array(pods.length);
      addTiedPoints(points, pods, comparison);
      const wanted = pods.map((one) =>
        pods
          .filter((other) => other !== one)
          .reduce((sum, other) => sum + 1 - compare(comparison, one, other), 0),
      );
      expect([...points]).toEqual(wanted);
    }),
  );
});
