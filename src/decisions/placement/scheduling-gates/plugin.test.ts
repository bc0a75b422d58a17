import { expect, test } from "vitest";
import { waitingPod } from "../plugin-fixture.cases.ts";
import { podInfo } from "../objects/pod-info.ts";
import { fits } from "../plugin.ts";
import { schedulingGates } from "./plugin.ts";

test("SchedulingGates keeps a Pod back and names its gates", () => {
  const gated = waitingPod({ spec: { schedulingGates: [{ name: "quota" }, { name: "example.com/data" }] } });
  expect(schedulingGates.preEnqueue?.(podInfo(gated))).toEqual({
    kind: "rejects",
    code: "UnschedulableAndUnresolvable",
    reasons: ["waiting for scheduling gates: [quota example.com/data]"],
  });
});

test("SchedulingGates lets a Pod pass whose last gate is gone", () => {
  const open = podInfo(waitingPod({ spec: { schedulingGates: [] } }));
  expect(schedulingGates.preEnqueue?.(open)).toEqual(fits);
});
