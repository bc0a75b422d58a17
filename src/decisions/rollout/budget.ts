import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Deployment, RollingUpdateDeployment } from "../../api/generated/apps-v1.ts";
import { type IntOrString, scaledValue } from "../../api/int-or-string.ts";
import { type PodReplacementPolicy, podReplacementPolicyOf } from "../../api/workload-settings.ts";
import { countOf, replicasOf } from "./counts.ts";

export type Strategy = "RollingUpdate" | "Recreate";

/** The numbers a Deployment's revisions share, resolved once for a pass. */
export interface Budget {
  readonly strategy: Strategy;
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  /** `replicas + maxSurge`, also at 0 replicas: the value of the max-replicas annotation. */
  readonly maxReplicas: number;
  /** What all sizes may add up to: `maxReplicas`, but 0 at 0 replicas. */
  readonly allowed: number;
  readonly minAvailable: number;
  /** The Pod replacement policy; absent when unset, unknown or disabled by a feature gate. */
  readonly policy?: PodReplacementPolicy;
  /** Whether an annotation marks scales held back by terminating Pods, whatever the policy is now. */
  readonly tracksPartialScale: boolean;
  /** Whether the status says how many Pods are terminating. */
  readonly countsTerminating: boolean;
}

const defaultLimits: RollingUpdateDeployment = { maxSurge: "25%", maxUnavailable: "25%" };

/** The strategy of a Deployment, `RollingUpdate` by default; `undefined` when it names an unknown one. */
export function strategyOf(deployment: Deployment): Strategy | undefined {
  const type = deployment.spec.strategy?.type ?? "RollingUpdate";
  return type === "RollingUpdate" || type === "Recreate" ? type : undefined;
}

/** The limits of a rolling update as the API server would have stored them: absent ones are the default. */
export function rollingLimits(deployment: Deployment): RollingUpdateDeployment {
  const { maxSurge, maxUnavailable } = deployment.spec.strategy?.rollingUpdate ?? {};
  return {
    maxSurge: maxSurge ?? defaultLimits.maxSurge ?? 0,
    maxUnavailable: maxUnavailable ?? defaultLimits.maxUnavailable ?? 0,
  };
}

/** Resolves a Deployment's budget; limits that cannot be read count as 0, and an unknown strategy as `Recreate`. */
export function budgetOf(deployment: Deployment, gates: FeatureGates): Budget {
  const replicas = replicasOf(deployment);
  const strategy = strategyOf(deployment) ?? "Recreate";
  const { maxSurge, maxUnavailable } = effectiveFenceposts(deployment, strategy, replicas);
  const countsTerminating = gates.DeploymentReplicaSetTerminatingReplicas;
  const remembersScale = countsTerminating && gates.DeploymentPodReplacementPolicy;
  const policy = remembersScale ? podReplacementPolicyOf(deployment) : undefined;
  return {
    strategy,
    replicas,
    maxSurge,
    maxUnavailable,
    maxReplicas: replicas + maxSurge,
    allowed: replicas > 0 ? replicas + maxSurge : 0,
    minAvailable: replicas - maxUnavailable,
    tracksPartialScale: remembersScale,
    countsTerminating,
    ...(policy === undefined ? {} : { policy }),
  };
}

function effectiveFenceposts(deployment: Deployment, strategy: Strategy, replicas: number) {
  const none = { maxSurge: 0, maxUnavailable: 0 };
  if (strategy === "Recreate") return none;
  const { maxSurge, maxUnavailable } = resolveFenceposts(rollingLimits(deployment), replicas) ?? none;
  return { maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}

/** How many Pods a rolling update may have above and below the replicas. */
export interface Fenceposts {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/**
 * Resolves the pair against a number of replicas; `undefined` when one of them is neither a number nor a percentage.
 * maxSurge rounds up and maxUnavailable down; two zeros would block every rollout, so one Pod may then be unavailable.
 */
export function resolveFenceposts(limits: RollingUpdateDeployment, replicas: number): Fenceposts | undefined {
  const maxSurge = resolve(limits.maxSurge, replicas, "up");
  const maxUnavailable = resolve(limits.maxUnavailable, replicas, "down");
  if (maxSurge === undefined || maxUnavailable === undefined) return undefined;
  return { maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable };
}

function resolve(value: IntOrString | undefined, replicas: number, round: "up" | "down"): number | undefined {
  const scaled = scaledValue(value, replicas, round);
  return scaled === undefined || scaled < 0 ? undefined : countOf(scaled);
}
