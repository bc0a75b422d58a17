import { expect, test } from "vitest";
import type { DaemonSet, DaemonSetSpec } from "../../../../api/generated/apps-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf, problemsOfUpdate, selector, template } from "../workload/workload-fixture.cases.ts";
import { daemonSetStrategy } from "./strategy.ts";

const aSet = (spec: Sent<DaemonSetSpec> = {}): Sent<DaemonSet> => ({
  metadata: { name: "agent" },
  spec: { selector, template, ...spec },
});
const at = "spec.updateStrategy.rollingUpdate";

test("a DaemonSet rolls one node at a time", () => {
  expect(daemonSetStrategy.defaults?.(aSet()).spec).toMatchObject({
    revisionHistoryLimit: 10,
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
  });
});

test.for<{
  name: string;
  rollingUpdate: { maxUnavailable?: number | string; maxSurge?: number | string };
  want: string[];
}>([
  { name: "one of them", rollingUpdate: { maxUnavailable: "10%" }, want: [] },
  {
    name: "both",
    rollingUpdate: { maxSurge: 1 },
    want: [`${at}.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero`],
  },
  {
    name: "neither",
    rollingUpdate: { maxUnavailable: 0 },
    want: [`${at}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`],
  },
])("a DaemonSet has $name of its budgets", ({ rollingUpdate, want }) => {
  expect(problemsOf(daemonSetStrategy, aSet({ updateStrategy: { rollingUpdate } }))).toEqual(want);
});

test("a DaemonSet goes on selecting what it selected", () => {
  expect(problemsOfUpdate(daemonSetStrategy, aSet({ selector: {} }), aSet())).toEqual([
    "spec.selector: Invalid value: {}: field is immutable",
  ]);
});
