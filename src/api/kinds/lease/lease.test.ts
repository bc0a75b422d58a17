import { expect, test } from "vitest";
import { problemsOf } from "../workload/a-workload.cases.ts";
import { lease } from "./lease.ts";

test("a lease lasts, and has not changed hands less than never", () => {
  expect(problemsOf(lease, { spec: { leaseDurationSeconds: 15, leaseTransitions: 0 } })).toEqual([]);
  expect(problemsOf(lease, { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } })).toEqual([
    "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
    "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0",
  ]);
});

test("a lease is never overwritten unseen, but may be taken by a PUT", () => {
  expect([lease.unconditionalUpdate, lease.createOnUpdate]).toEqual([undefined, true]);
});
