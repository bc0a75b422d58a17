import { expect, test } from "vitest";
import { walk } from "./walk.ts";

const seeds = Array.from({ length: 50 }, (_, index) => `walk ${index}`);

test.for(seeds)("%s keeps every promise, and ends complete", async (seed) => {
  expect(await walk(seed)).toHaveProperty("breaches", []);
});

test("a walk is the same twice", async () => {
  const first = await walk("walk 3");
  expect(first.history.length).toBeGreaterThan(50);
  expect((await walk("walk 3")).history).toEqual(first.history);
});
