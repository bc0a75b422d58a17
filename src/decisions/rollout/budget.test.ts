import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { deployment, type DeploymentTraits } from "../../testing/index.ts";
import { type Budget, budgetOf } from "./budget.ts";

const cases: readonly {
  name: string;
  traits: DeploymentTraits;
  gates?: Partial<typeof defaultFeatureGates>;
  want: Partial<Budget>;
}[] = [
  {
    name: "adds the surge and subtracts the unavailable",
    traits: { replicas: 10, maxSurge: 3, maxUnavailable: 2 },
    want: { maxReplicas: 13, allowed: 13, minAvailable: 8 },
  },
  {
    name: "cannot miss more Pods than there are",
    traits: { replicas: 5, maxSurge: 1, maxUnavailable: 10 },
    want: { maxUnavailable: 5, minAvailable: 0 },
  },
  {
    name: "may miss all Pods",
    traits: { replicas: 10, maxSurge: 1, maxUnavailable: 10 },
    want: { maxUnavailable: 10, minAvailable: 0 },
  },
  {
    name: "may miss a part of them",
    traits: { replicas: 10, maxSurge: 1, maxUnavailable: "50%" },
    want: { maxUnavailable: 5, minAvailable: 5 },
  },
  {
    name: "may miss all of them in percent",
    traits: { replicas: 5, maxSurge: 1, maxUnavailable: "100%" },
    want: { maxUnavailable: 5, minAvailable: 0 },
  },
  {
    name: "can miss no part of nothing",
    traits: { replicas: 0, maxSurge: 1, maxUnavailable: "50%" },
    want: { maxUnavailable: 0, minAvailable: 0 },
  },
  {
    name: "allows nothing when nothing is wanted, though the surge is still recorded",
    traits: { replicas: 0, maxSurge: 2, maxUnavailable: 2 },
    want: { maxReplicas: 2, allowed: 0, maxUnavailable: 0, minAvailable: 0 },
  },
  {
    name: "has neither surge nor unavailable under Recreate",
    traits: { replicas: 10, strategy: "Recreate" },
    want: { maxSurge: 0, maxUnavailable: 0, maxReplicas: 10 },
  },
  {
    name: "reads percentages that are none as nothing",
    traits: { replicas: 10, maxSurge: "lots", maxUnavailable: 4 },
    want: { maxSurge: 0, maxUnavailable: 0 },
  },
  {
    name: "takes the policy from the field",
    traits: { policy: "TerminationComplete" },
    want: { policy: "TerminationComplete", tracksPartialScale: true, countsTerminating: true },
  },
  {
    name: "takes the policy from the annotation where the API server has no such field",
    traits: { annotations: { "trimtab.dev/pod-replacement-policy": "TerminationStarted" } },
    want: { policy: "TerminationStarted" },
  },
  {
    name: "prefers the field to the annotation",
    traits: {
      policy: "TerminationComplete",
      annotations: { "trimtab.dev/pod-replacement-policy": "TerminationStarted" },
    },
    want: { policy: "TerminationComplete" },
  },
  {
    name: "ignores a policy nobody knows",
    traits: { annotations: { "trimtab.dev/pod-replacement-policy": "Whenever" } },
    want: { tracksPartialScale: true },
  },
  {
    name: "ignores the policy with its gate off",
    traits: { policy: "TerminationComplete" },
    gates: { DeploymentPodReplacementPolicy: false },
    want: { tracksPartialScale: false, countsTerminating: true },
  },
  {
    name: "ignores the policy when nobody counts terminating Pods",
    traits: { policy: "TerminationComplete" },
    gates: { DeploymentReplicaSetTerminatingReplicas: false },
    want: { tracksPartialScale: false, countsTerminating: false },
  },
];

test.for(cases)("a budget $name", ({ traits, gates, want }) => {
  const budget = budgetOf(deployment("web", traits), { ...defaultFeatureGates, ...gates });
  expect(budget).toMatchObject(want);
  expect(budget.policy).toBe(want.policy);
});

test("a budget without a strategy is that of the API's defaults", () => {
  const { strategy: _, ...spec } = deployment("web", { replicas: 10 }).spec;
  const budget = budgetOf({ ...deployment("web"), spec }, defaultFeatureGates);
  expect(budget).toMatchObject({ strategy: "RollingUpdate", maxSurge: 3, maxUnavailable: 2 });
});
