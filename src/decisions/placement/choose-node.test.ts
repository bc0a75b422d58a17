import { expect, test } from "vitest";
import { randomInt, seededRandom } from "../../machinery/random/random.ts";
import { chooseNode } from "./choose-node.ts";

const scored = (...totals: readonly number[]) => ({
  nodes: totals.map((_, index) => `n${index}`),
  totals,
});
const never = () => {
  throw new Error("there is nothing to draw");
};

test("the best node is chosen, and nothing is drawn", () => {
  expect(chooseNode(scored(3, 9, 5), never)).toEqual({ node: "n1", total: 9, best: ["n1"] });
});

test("no node is chosen from none", () => {
  expect(chooseNode(scored(), never)).toBeUndefined();
});

test("equals are drawn from, the k-th with a chance of one in k", () => {
  const limits: number[] = [];
  const draw = (limit: number) => {
    limits.push(limit);
    return limit === 3 ? 0 : 1;
  };
  expect(chooseNode(scored(9, 5, 9, 9, 9), draw)).toEqual({
    node: "n3",
    total: 9,
    best: ["n0", "n2", "n3", "n4"],
  });
  expect(limits).toEqual([2, 3, 4]);
});

test("every equal is chosen about as often", () => {
  const random = seededRandom("ties");
  const counts = new Map<string, number>();
  for (let round = 0; round < 4000; round++) {
    const node = chooseNode(scored(1, 1, 1, 1), (limit) => randomInt(random, limit))?.node ?? "";
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  expect([...counts.values()].every((count) => count > 900 && count < 1100)).toBe(true);
  expect(counts.size).toBe(4);
});
