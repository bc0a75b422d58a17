import { describe, expect, test } from "vitest";
import { findCondition, isConditionTrue, withoutCondition } from "./conditions.ts";

const ready = { type: "Ready", status: "True" };
const stale = { type: "Ready", status: "False" };
const progressing = { type: "Progressing", status: "Unknown" };

describe("conditions", () => {
  test.for([
    { name: "absent", conditions: undefined, found: undefined, isTrue: false, without: [] },
    { name: "null", conditions: null, found: undefined, isTrue: false, without: [] },
    { name: "empty", conditions: [], found: undefined, isTrue: false, without: [] },
    {
      name: "with others",
      conditions: [progressing],
      found: undefined,
      isTrue: false,
      without: [progressing],
    },
    { name: "true", conditions: [progressing, ready], found: ready, isTrue: true, without: [progressing] },
    { name: "false", conditions: [stale], found: stale, isTrue: false, without: [] },
    { name: "twice, the first counts", conditions: [stale, ready], found: stale, isTrue: false, without: [] },
  ])("$name", ({ conditions, found, isTrue, without }) => {
    expect(findCondition(conditions, "Ready")).toBe(found);
    expect(isConditionTrue(conditions, "Ready")).toBe(isTrue);
    expect(withoutCondition(conditions, "Ready")).toEqual(without);
  });
});
