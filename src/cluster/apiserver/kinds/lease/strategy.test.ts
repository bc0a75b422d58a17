import { expect, test } from "vitest";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
import { leaseStrategy } from "./strategy.ts";

test("a lease lasts, and has not changed hands less than never", () => {
  expect(problemsOf(leaseStrategy, { spec: { leaseDurationSeconds: 15, leaseTransitions: 0 } })).toEqual([]);
  expect(problemsOf(leaseStrategy, { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } })).toEqual([
    "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
    "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0",
  ]);
});

test("a lease is never overwritten unseen, but may be taken by a PUT", () => {
  expect([leaseStrategy.unconditionalUpdate, leaseStrategy.createOnUpdate]).toEqual([undefined, true]);
});
