import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { isActive, isTerminating } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import { splitByProtection } from "../downscale/protection.ts";
import { budgetOf, strategyOf } from "../rollout/budget.ts";
import { withoutTerminatingCount } from "../rollout/counts.ts";
import type { RolloutState } from "../rollout/state.ts";
import { claimedReplicaSets } from "./owned-objects.ts";
import type { RevisionReader } from "./workload-reader.ts";

/** What a pass over a Deployment depends on besides the objects of the cluster. */
export interface RolloutSettings {
  readonly gates: FeatureGates;
  readonly now: Instant;
}

/** Gathers all that a pass over a Deployment depends on. */
export function gatherRollout(
  deployment: Deployment,
  reader: RevisionReader,
  settings: RolloutSettings,
): RolloutState {
  return rolloutStateOf(
    { deployment, replicaSets: claimedReplicaSets(deployment, reader) },
    reader,
    settings,
  );
}

/** Variant for callers that have claimed the ReplicaSets of the Deployment. */
export function rolloutStateOf(
  { deployment, replicaSets }: Pick<RolloutState, "deployment" | "replicaSets">,
  reader: Pick<RevisionReader, "controlledPods">,
  { gates, now }: RolloutSettings,
): RolloutState {
  // Only a plan for `Recreate` depends on Pods.
  const isRecreate = strategyOf(deployment) === "Recreate";
  const pods = isRecreate ? replicaSets.flatMap((replicaSet) => reader.controlledPods(replicaSet)) : [];
  const counted = countPods(replicaSets, reader);
  const waits = budgetOf(deployment, gates).policy === "TerminationComplete";
  const seen = waits ? { seenTerminating: countTerminating(replicaSets, reader) } : {};
  const isProtecting = gates.PodRemovalProtection;
  const kept = isProtecting ? { protectedPods: countProtected(replicaSets, reader, now) } : {};
  return { deployment, replicaSets, pods, counted, ...seen, ...kept, gates, now };
}

/** Counts the active Pods that say themselves that they are protected. */
export function countProtected(
  replicaSets: readonly ReplicaSet[],
  reader: Pick<RevisionReader, "controlledPods">,
  now: Instant,
): NonNullable<RolloutState["protectedPods"]> {
  const counts = replicaSets.map((replicaSet) => {
    const active = reader.controlledPods(replicaSet).filter(isActive);
    return [replicaSet.metadata.uid, splitByProtection(active, { now }).protected.length] as const;
  });
  return Object.fromEntries(counts);
}

/** Counts the Pods that are terminating, of all ReplicaSets: these know of a Pod that was just deleted no sooner. */
function countTerminating(
  replicaSets: readonly ReplicaSet[],
  reader: Pick<RevisionReader, "controlledPods">,
): NonNullable<RolloutState["seenTerminating"]> {
  const counts = replicaSets.map((replicaSet) => {
    const terminating = reader.controlledPods(replicaSet).filter(isTerminating);
    return [replicaSet.metadata.uid, terminating.length] as const;
  });
  return Object.fromEntries(counts);
}

/** Counts the Pods of the ReplicaSets whose status does not say how many are terminating. */
function countPods(
  replicaSets: readonly ReplicaSet[],
  reader: Pick<RevisionReader, "controlledPods">,
): NonNullable<RolloutState["counted"]> {
  const uncounted = withoutTerminatingCount(replicaSets).map((replicaSet) => {
    const pods = reader.controlledPods(replicaSet);
    const running = pods.filter(isActive).length;
    return [replicaSet.metadata.uid, { running, terminating: pods.filter(isTerminating).length }] as const;
  });
  return Object.fromEntries(uncounted);
}
