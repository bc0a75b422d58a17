import { expect, test } from "vitest";
import { lookClass, WorkloadColours } from "./workload-colours.ts";

test("no two of the first 24 groups look alike, and those after them are grey", () => {
  const colours = new WorkloadColours();
  const looks = Array.from({ length: 30 }, (_, index) => lookClass(colours.of(`group-${index}`)));
  expect(new Set(looks.slice(0, 24)).size).toBe(24);
  expect(new Set(looks.slice(24))).toEqual(new Set(["cx"]));
});

test("a group keeps its look", () => {
  const colours = new WorkloadColours();
  const first = lookClass(colours.of("a"));
  colours.of("b");
  expect(lookClass(colours.of("a"))).toBe(first);
});
