import { expect, test } from "vitest";
import { backsOffUntil, currentBackoffs, withDeletedPods } from "./failed-pod-backoff.ts";

const none = currentBackoffs(undefined, 1, 0);

test("after every failed Pod the next one stays twice as long, up to 15 minutes", () => {
  let backoffs = none;
  const delays = Array.from({ length: 12 }, () => {
    backoffs = withDeletedPods(backoffs, ["a"], 0);
    return (backsOffUntil(backoffs, "a", 0) ?? 0) / 1000;
  });
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  expect(backsOffUntil(backoffs, "b", 0)).toBeUndefined();
});

test("a failed Pod may be deleted once its time is over", () => {
  const backoffs = withDeletedPods(none, ["a"], 5000);
  expect(backsOffUntil(backoffs, "a", 5999)).toBe(6000);
  expect(backsOffUntil(backoffs, "a", 6000)).toBeUndefined();
});

test("a new generation begins anew, and so does a node without failures for half an hour", () => {
  const backoffs = withDeletedPods(none, ["a"], 0);
  expect(currentBackoffs(backoffs, 1, 1_800_000)).toBe(backoffs);
  expect(currentBackoffs(backoffs, 1, 1_800_001).byNode.size).toBe(0);
  expect(currentBackoffs(backoffs, 2, 0).byNode.size).toBe(0);
});
