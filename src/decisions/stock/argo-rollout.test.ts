import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { budgetOf } from "../rollout/budget.ts";
import { type ArgoRollout, asDeployment } from "./argo-rollout.ts";

const selector = { matchLabels: { app: "web" } };
const rollout = (spec: ArgoRollout["spec"]): ArgoRollout => ({
  metadata: { name: "web", uid: "1", resourceVersion: "1" },
  spec,
});

test.for([
  { name: "its surge", canary: { maxSurge: 2 }, most: 12 },
  { name: "a share of its replicas", canary: { maxSurge: "11%" }, most: 12 },
  { name: "no surge", canary: { maxSurge: 0, maxUnavailable: 1 }, most: 10 },
  { name: "a quarter where it says nothing", canary: {}, most: 13 },
])("a canary may have $name", ({ canary, most }) => {
  const deployment = asDeployment(rollout({ replicas: 10, selector, strategy: { canary } }));
  expect(deployment && budgetOf(deployment, defaultFeatureGates).maxReplicas).toBe(most);
});

test.for([
  { name: "blue-green", spec: { selector, strategy: {} } },
  { name: "a canary with traffic routing", spec: { selector, strategy: { canary: { trafficRouting: {} } } } },
  { name: "a Rollout without a selector", spec: { strategy: { canary: { maxSurge: 1 } } } },
])("$name says no surge", ({ spec }) => {
  expect(asDeployment(rollout(spec))).toBeUndefined();
});
