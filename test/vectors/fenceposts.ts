import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { budgetOf, resolveFenceposts } from "../../src/decisions/rollout/budget.ts";
import { deployment } from "../../src/testing/deployment.ts";
import type { Check } from "./kinds.ts";
import { difference } from "./check-sizing.ts";

interface FencepostsVector {
  readonly replicas: number;
  readonly maxSurge: number | string;
  readonly maxUnavailable: number | string;
  readonly wantSurge: number;
  readonly wantUnavailable: number;
  readonly effectiveMaxSurge: number;
  readonly effectiveMaxUnavailable: number;
}

/** The pair resolved together, and what a Deployment makes of it. */
export const checkFenceposts: Check = (vector) => {
  const { replicas, maxSurge, maxUnavailable, ...want } = vector as FencepostsVector;
  const pair = resolveFenceposts({ maxSurge, maxUnavailable }, replicas);
  const budget = budgetOf(deployment("d", { replicas, maxSurge, maxUnavailable }), defaultFeatureGates);
  const got = {
    wantSurge: pair?.maxSurge,
    wantUnavailable: pair?.maxUnavailable,
    effectiveMaxSurge: budget.maxSurge,
    effectiveMaxUnavailable: budget.maxUnavailable,
  };
  return difference("fenceposts", got, want);
};
