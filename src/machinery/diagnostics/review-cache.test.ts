import { expect, test } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { WallClock } from "../clock/wall-clock.ts";
import { ReviewCache } from "./review-cache.ts";

const limits = { ttlMs: 10_000, maxEntries: 2, maxInFlight: 5 };

/** Reviews a key and gives how many reviews were started so far. */
function counted(cache: ReviewCache<string>) {
  let started = 0;
  return async (key: string) => {
    await cache.get(key, () => Promise.resolve(`${key} ${++started}`));
    return started;
  };
}

test("of many reviews only the newest are kept", async () => {
  const review = counted(new ReviewCache({ clock: new VirtualClock(), ...limits }));
  for (const key of ["a", "b", "c"]) await review(key);
  expect(await review("c")).toBe(3);
  expect(await review("b")).toBe(3);
  expect(await review("a")).toBe(4);
});

test("a clock that is set back does not keep a review longer", async () => {
  let [now, elapsed] = [1_000_000, 0];
  const host = {
    now: () => now,
    elapsed: () => elapsed,
    setTimeout: () => undefined,
    clearTimeout: () => undefined,
  };
  const review = counted(new ReviewCache({ clock: new WallClock(host), ...limits }));
  await review("a");
  [now, elapsed] = [0, 10_000];
  expect(await review("a")).toBe(2);
});
