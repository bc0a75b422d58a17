import { expect, test } from "vitest";
import { node } from "../../../testing/index.ts";
import { admitPod } from "../admit-pod.ts";
import { preFilterOf, waitingPod } from "../plugin-fixture.cases.ts";
import { schedulingGates } from "./plugin.ts";

test("SchedulingGates keeps a Pod back and names its gates", () => {
  const gated = waitingPod({ spec: { schedulingGates: [{ name: "quota" }, { name: "example.com/data" }] } });
  expect(admitPod(gated, [schedulingGates])).toEqual({
    kind: "rejects",
    code: "UnschedulableAndUnresolvable",
    reasons: ["waiting for scheduling gates: [quota example.com/data]"],
    plugins: ["SchedulingGates"],
  });
});

test("SchedulingGates lets a Pod pass whose last gate is gone, and has no opinion on nodes", () => {
  expect(admitPod(waitingPod({ spec: { schedulingGates: [] } }), [schedulingGates])).toBeUndefined();
  expect(preFilterOf(schedulingGates, {}, { nodes: [node("a")] })).toBeUndefined();
});
