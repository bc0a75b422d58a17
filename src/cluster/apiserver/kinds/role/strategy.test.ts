import { expect, test } from "vitest";
import type { PolicyRule } from "../../../../api/generated/rbac-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
import { clusterRoleStrategy, roleStrategy } from "./strategy.ts";

const pods = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };

test.for<{ name: string; rule: Sent<PolicyRule>; want: string[] }>([
  { name: "allows something", rule: pods, want: [] },
  {
    name: "allows nothing",
    rule: { ...pods, verbs: [] },
    want: ["rules[0].verbs: Required value: verbs must contain at least one value"],
  },
  {
    name: "is about nothing",
    rule: { verbs: ["get"] },
    want: [
      "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
      "rules[0].resources: Required value: resource rules must supply at least one resource",
    ],
  },
  {
    name: "is about paths and resources",
    rule: { ...pods, nonResourceURLs: ["/metrics"] },
    want: [
      'rules[0].nonResourceURLs: Invalid value: ["/metrics"]: namespaced rules cannot apply to non-resource URLs',
      'rules[0].nonResourceURLs: Invalid value: ["/metrics"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
  },
])("a rule that $name", ({ rule, want }) => {
  expect(problemsOf(roleStrategy, { rules: [rule] })).toEqual(want);
});

test("a ClusterRole may be about paths, and has to aggregate something if anything", () => {
  expect(problemsOf(clusterRoleStrategy, { rules: [{ nonResourceURLs: ["/"], verbs: ["get"] }] })).toEqual(
    [],
  );
  expect(problemsOf(clusterRoleStrategy, { aggregationRule: {} })).toEqual([
    "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil",
  ]);
});
