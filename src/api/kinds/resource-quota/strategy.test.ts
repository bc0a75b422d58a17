import { expect, test } from "vitest";
import type { ResourceQuotaSpec } from "../../generated/core-v1.ts";
import type { Sent } from "../sent.ts";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
import { resourceQuotaStrategy } from "./strategy.ts";

test.for<{ name: string; spec: Sent<ResourceQuotaSpec>; want: string[] }>([
  {
    name: "limits what there is",
    spec: {
      hard: {
        pods: "10",
        "requests.cpu": "500m",
        "count/deployments.apps": 3,
        "requests.hugepages-2Mi": "4Mi",
      },
    },
    want: [],
  },
  {
    name: "allows less than nothing",
    spec: { hard: { pods: "-1" } },
    want: ['spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'],
  },
  {
    name: "allows half a Pod",
    spec: { hard: { pods: "500m" } },
    want: ['spec.hard[pods]: Invalid value: "500m": must be an integer'],
  },
  {
    name: "limits what is not counted",
    spec: { hard: { apples: "1" } },
    want: ['spec.hard[apples]: Invalid value: "apples": must be a standard resource for quota'],
  },
  {
    name: "is for nothing at all",
    spec: { scopes: ["BestEffort", "NotBestEffort"] },
    want: ['spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes'],
  },
])("a quota that $name", ({ spec, want }) => {
  expect(problemsOf(resourceQuotaStrategy, { spec })).toEqual(want);
});
