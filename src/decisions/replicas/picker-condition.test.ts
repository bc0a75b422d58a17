import { expect, test } from "vitest";
import type { PickerHealth } from "../downscale/picker-state.ts";
import { withPickerHealth } from "./picker-condition.ts";

const other = { type: "ReplicaFailure", status: "True" };
const failing: PickerHealth = { kind: "failing", reason: "Timeout", message: "no answer" };
const at = (seconds: number) => seconds * 1000;

test("a workload without a picker has no such condition, also when it had one", () => {
  expect(withPickerHealth(undefined, { kind: "none" }, 0)).toBe(undefined);
  const conditions = withPickerHealth([other], failing, 0);
  expect(withPickerHealth(conditions, { kind: "none" }, 0)).toEqual([other]);
  expect(withPickerHealth(withPickerHealth(undefined, failing, 0), { kind: "none" }, 0)).toBe(undefined);
});

test("a controller that has not called the picker leaves what another one reported", () => {
  const conditions = withPickerHealth([other], failing, 0);
  expect(withPickerHealth(conditions, { kind: "unknown" }, 0)).toBe(conditions);
});

test("a picker that was invalid and is not any more has no condition until it is called", () => {
  const conditions = withPickerHealth([other], { ...failing, reason: "InvalidConfig" }, 0);
  expect(withPickerHealth(conditions, { kind: "unknown" }, 0)).toEqual([other]);
});

test("the same report changes nothing, and only another status is a transition", () => {
  const first = withPickerHealth([other], failing, at(1));
  expect(first).toEqual([
    other,
    {
      type: "DownscalePodPickerHealthy",
      status: "False",
      lastTransitionTime: "1970-01-01T00:00:01Z",
      reason: "Timeout",
      message: "no answer",
    },
  ]);
  expect(withPickerHealth(first, failing, at(2))).toBe(first);
  const second = withPickerHealth(first, { ...failing, reason: "Refused" }, at(3));
  expect(second).toMatchObject([other, { reason: "Refused", lastTransitionTime: "1970-01-01T00:00:01Z" }]);
  const third = withPickerHealth(second, { kind: "healthy" }, at(4));
  expect(third).toMatchObject([
    other,
    { status: "True", reason: "Answered", lastTransitionTime: "1970-01-01T00:00:04Z" },
  ]);
});
