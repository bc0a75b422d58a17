import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { deployment, type DeploymentTraits } from "../../testing/deployment.ts";
import { type Budget, budgetOf, resolveFenceposts } from "./budget.ts";

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
    name: "ignores an unknown policy",
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
    name: "ignores the policy when terminating Pods are not counted",
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

test.for([
  { name: "rounds the surge up and the unavailable down", limits: ["39%", "39%"], want: [4, 3] },
  { name: "lets one Pod be missing when both are zero", limits: ["0%", "0%"], want: [0, 1] },
  { name: "reads an absent surge as none", limits: [undefined, "39%"], want: [0, 3] },
  { name: "reads an absent unavailable as none", limits: ["39%", undefined], want: [4, 0] },
  { name: "lets one Pod be missing when both are absent", limits: [undefined, undefined], want: [0, 1] },
  { name: "takes numbers as they are", limits: [3, 20], want: [3, 20] },
  { name: "rounds a small percentage of few to one surging Pod", limits: ["1%", 0], want: [1, 0] },
  { name: "lets one Pod be missing when a percentage rounds to none", limits: [0, "9%"], want: [0, 1] },
  {
    name: "has no more than an API server can store",
    limits: ["99999999999999999999%", 0],
    want: [2147483647, 0],
  },
])("resolveFenceposts of 10 replicas $name", ({ limits: [maxSurge, maxUnavailable], want }) => {
  const limits = {
    ...(maxSurge === undefined ? {} : { maxSurge }),
    ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
  };
  expect(resolveFenceposts(limits, 10)).toEqual({ maxSurge: want[0], maxUnavailable: want[1] });
});

test("resolveFenceposts multiplies before it divides", () => {
  expect(resolveFenceposts({ maxSurge: "7%", maxUnavailable: 0 }, 100)).toEqual({
    maxSurge: 7,
    maxUnavailable: 0,
  });
});

test.for(["", "10", "ten%", "-5%", "5.5%", "% ", -1, 1.5, Number.NaN])(
  "resolveFenceposts refuses %j in either place",
  (bad) => {
    expect(resolveFenceposts({ maxSurge: bad, maxUnavailable: 1 }, 10)).toBeUndefined();
    expect(resolveFenceposts({ maxSurge: 1, maxUnavailable: bad }, 10)).toBeUndefined();
  },
);
