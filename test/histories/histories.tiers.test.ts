import { expect, test } from "vitest";
import { perTier } from "../tier.ts";
import { runHistory } from "./run-history.ts";

const { first, count } = perTier({ unit: { first: 0, count: 20 }, full: { first: 20, count: 400 } });

for (let from = first; from < first + count; from += 20) {
  test(`clients of servers that are killed, on disks that fail, see what is promised in runs ${from} to ${from + 19}`, async () => {
    for (let seed = from; seed < from + 20; seed++) {
      const replay = `npm run histories -- --seed ${seed}`;
      const { violation } = await runHistory(seed);
      expect({ replay, violation }).toEqual({ replay, violation: undefined });
    }
  });
}

test("the same seed gives the same history", async () => {
  expect(await runHistory(7)).toEqual(await runHistory(7));
});

test("the runs have what they are about: ends of every kind, refused starts, unanswered writes and lists anew", async () => {
  const results = await Promise.all([0, 1, 2, 3, 4, 5].map((seed) => runHistory(seed)));
  expect(new Set(results.flatMap(({ endings }) => endings))).toEqual(new Set(["power", "kill", "stop"]));
  for (const measure of ["refusedStarts", "unanswered", "relists", "events"] as const)
    expect(Math.max(...results.map((result) => result[measure]))).toBeGreaterThan(0);
});
