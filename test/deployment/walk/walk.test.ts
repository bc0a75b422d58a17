import { expect, test } from "vitest";
import type { Sort } from "./errand.ts";
import { routeFrom, walk } from "./walk.ts";

const seeds = Array.from({ length: 50 }, (_, index) => `walk ${index}`);

test.for(seeds)("%s keeps every promise, and ends complete", async (seed) => {
  expect(await walk(seed)).toHaveProperty("breaches", []);
});

test.for<Sort>(["rising", "steady", "free", "rough"])(
  "a walk of the sort %s is the same twice, to the byte",
  async (sort) => {
    const seed = seeds.find((each) => routeFrom(each).sort === sort) ?? expect.fail("no such walk");
    const [first, second] = [await walk(seed), await walk(seed)];
    const lines = [...first.recording.lines()];
    expect(lines.length).toBeGreaterThan(100);
    expect([...second.recording.lines()]).toEqual(lines);
  },
);
