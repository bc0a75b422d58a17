import { expect, test } from "vitest";
import type {
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { resourceQuotaStrategy } from "./strategy.ts";

const selecting = (...matchExpressions: Sent<ScopedResourceSelectorRequirement>[]) => ({
  scopeSelector: { matchExpressions },
});

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
  {
    name: "is for what there is not",
    spec: { scopes: ["Lucky"] },
    want: ['spec.scopes: Invalid value: ["Lucky"]: unsupported scope'],
  },
  {
    name: "limits what Pods without requests cannot use",
    spec: { scopes: ["BestEffort"], hard: { pods: "1", "requests.cpu": "1", "count/pods": "1" } },
    want: ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
  },
  {
    name: "selects Pods of a priority",
    spec: selecting({ scopeName: "PriorityClass", operator: "In", values: ["high"] }),
    want: [],
  },
  {
    name: "selects Pods that end, by values",
    spec: selecting({ scopeName: "Terminating", operator: "In", values: ["soon"] }),
    want: [
      "spec.scopeSelector.matchExpressions.operator: Invalid value: \"In\": must be 'Exist' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort and ResourceQuotaScopeNotBestEffort",
    ],
  },
  {
    name: "selects by no value, by too many and by no operator",
    spec: selecting(
      { scopeName: "PriorityClass", operator: "NotIn" },
      { scopeName: "PriorityClass", operator: "Exists", values: ["high"] },
      { scopeName: "PriorityClass", operator: "About" },
    ),
    want: [
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      "spec.scopeSelector.matchExpressions.values: Invalid value: [\"high\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      'spec.scopeSelector.matchExpressions.operator: Invalid value: "About": not a valid selector operator',
    ],
  },
])("a quota that $name", ({ spec, want }) => {
  expect(problemsOf(resourceQuotaStrategy, { spec })).toEqual(want);
});

test("a quota keeps its scopes", () => {
  const scoped = (...scopes: string[]) => ({ spec: { scopes } });
  const update = (next: object, previous: object) => problemsOfUpdate(resourceQuotaStrategy, next, previous);
  expect(update(scoped("BestEffort", "Terminating"), scoped("Terminating", "BestEffort"))).toEqual([]);
  expect(update(scoped(), scoped("Terminating"))).toEqual([
    "spec.scopes: Invalid value: []: field is immutable",
  ]);
});
