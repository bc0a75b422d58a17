import { describe, expect, test } from "vitest";
import type { Pod } from "../../../../api/generated/core-v1.ts";
import { parseTime } from "../../../../api/time.ts";
import { podTable } from "./presentation.ts";
import { podCases } from "./pod-summary.cases.ts";

const now = parseTime("2026-01-01T12:00:00Z") ?? 0;
const metadata = {
  name: "web-1",
  uid: "u",
  resourceVersion: "1",
  creationTimestamp: "2026-01-01T11:00:00Z",
};

describe("the Pod table", () => {
  test.for(podCases)("shows $name", ({ spec, status, deleted, want, ready, restarts }) => {
    const pod: Pod = {
      metadata: { ...metadata, ...(deleted === true && { deletionTimestamp: "2026-01-01T12:00:10Z" }) },
      spec: { containers: [{ name: "a" }], ...spec },
      status,
    };
    const [, readyCell, statusCell, restartsCell] = podTable.cells(pod, now);
    expect(statusCell).toBe(want);
    if (ready !== undefined) expect(readyCell).toBe(ready);
    if (restarts !== undefined) expect(restartsCell).toBe(restarts);
  });

  test("shows where a Pod is", () => {
    const pod: Pod = {
      metadata,
      spec: {
        containers: [{ name: "a" }],
        nodeName: "node-1",
        readinessGates: [{ conditionType: "lb" }, { conditionType: "dns" }],
      },
      status: {
        phase: "Running",
        podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }],
        conditions: [{ type: "lb", status: "True" }],
      },
    };
    expect(podTable.cells(pod, now).slice(4)).toEqual(["60m", "10.0.0.1", "node-1", "<none>", "1/2"]);
  });

  test("says <none> for what a new Pod does not have", () => {
    const pod: Pod = { metadata, spec: { containers: [{ name: "a" }] } };
    expect(podTable.cells(pod, now)).toEqual([
      "web-1",
      "0/1",
      "",
      "0",
      "60m",
      "<none>",
      "<none>",
      "<none>",
      "<none>",
    ]);
  });

  test.for([
    { phase: "Running", want: [] },
    { phase: "Succeeded", want: ["Succeeded"] },
    { phase: "Failed", want: ["Failed"] },
  ])("marks the row of a $phase Pod", ({ phase, want }) => {
    const pod: Pod = { metadata, spec: { containers: [] }, status: { phase } };
    expect(podTable.conditions?.(pod).map(({ reason }) => reason)).toEqual(want);
  });
});
