import type { FeatureGates } from "../../src/api/feature-gates.ts";
import type { Deployment } from "../../src/api/generated/apps-v1.ts";
import { isActive, isTerminating } from "../../src/api/pod-state.ts";
import type { Instant } from "../../src/api/time.ts";
import { withoutTerminatingCount } from "../../src/decisions/rollout/counts.ts";
import type { RolloutState } from "../../src/decisions/rollout/state.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import { replicaSetsOf } from "./workloads.ts";

/** What previews depend on besides the objects. */
export interface DecisionContext {
  readonly gates: FeatureGates;
  /** By the cluster's clock. */
  readonly now: Instant;
  /** Whose removal order applies. */
  readonly profile: "trimtab" | "kubernetes-1.36";
}

/** What the Deployment controller would plan from, gathered from the objects of the page. */
export function rolloutStateOf(
  deployment: Deployment,
  state: ClusterState,
  { gates, now }: DecisionContext,
): RolloutState {
  const replicaSets = replicaSetsOf(deployment, state);
  const podsOf = (uid: string) => state.podsByController.in(uid);
  const counted = withoutTerminatingCount(replicaSets).map(({ metadata: { uid } }) => {
    const pods = podsOf(uid);
    const running = pods.filter(isActive).length;
    return [uid, { running, terminating: pods.filter(isTerminating).length }] as const;
  });
  return {
    deployment,
    replicaSets,
    pods: replicaSets.flatMap(({ metadata }) => podsOf(metadata.uid)),
    counted: Object.fromEntries(counted),
    gates,
    now,
  };
}
