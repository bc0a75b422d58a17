import { extended } from "../../../api/extended.ts";
import { findCondition, withoutCondition } from "../../../api/conditions.ts";
import type {
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
  ReplicaSetCondition,
} from "../../../api/generated/apps-v1.ts";
import { semanticEqual } from "../../../api/schema/semantic-equality.ts";
import type { Instant } from "../../../api/time.ts";
import type { RolloutAction } from "../action.ts";
import { available, conditionsOf, deadlineOf, setCondition } from "./conditions.ts";
import { isCounted } from "../counted-pods.ts";
import {
  availableOf,
  countOf,
  isCount,
  podsOf,
  readyOf,
  sizeOf,
  totalOf,
  totalTerminating,
} from "../counts.ts";
import { withPickerCondition } from "../picker-propagation.ts";
import type { Revisions } from "../revisions.ts";
import { isRolledOut, progressCheck } from "./progress.ts";
import { withProgress } from "./progressing-condition.ts";

/** The counts of a Deployment and whether enough of its Pods are available; all else is kept. */
export function baseStatus(revisions: Revisions): DeploymentStatus {
  const { deployment, replicaSets, newReplicaSet, budget, now } = revisions;
  const availableReplicas = totalOf(replicaSets, availableOf);
  const isReported = budget.countsTerminating && !isCounted(revisions);
  const terminatingReplicas = isReported ? totalTerminating(replicaSets) : undefined;
  const collisionCount = deployment.status?.collisionCount;
  const isAvailable = availableReplicas >= budget.minAvailable;
  const counts = nonZero({
    observedGeneration: countOf(deployment.metadata.generation),
    replicas: totalOf(replicaSets, podsOf),
    updatedReplicas: newReplicaSet === undefined ? 0 : podsOf(newReplicaSet),
    readyReplicas: totalOf(replicaSets, readyOf),
    availableReplicas,
    unavailableReplicas: Math.max(totalOf(replicaSets, sizeOf) - availableReplicas, 0),
  });
  const conditions = withPickerCondition(
    setCondition(conditionsOf(deployment.status), available(isAvailable, now)),
    revisions,
  );
  const known = terminatingReplicas === undefined ? counts : extended(counts, { terminatingReplicas });
  return extended(known, isCount(collisionCount) ? { conditions, collisionCount } : { conditions });
}

/** The status at the end of a rollout pass: the counts, the progress, and failures to create or delete Pods. */
export function rolloutStatus(revisions: Revisions): DeploymentStatus {
  const base = baseStatus(revisions);
  const status =
    deadlineOf(revisions.deployment) === undefined
      ? { ...base, conditions: withoutCondition(base.conditions, "Progressing") }
      : withProgress(revisions, base);
  const failure = replicaFailure(revisions);
  const conditions =
    failure === undefined
      ? withoutCondition(status.conditions, "ReplicaFailure")
      : setCondition(conditionsOf(status), failure);
  return { ...status, conditions };
}

/** The status at the end of a scale pass: the counts, and the progress if a scale pass measures it. */
export function scaleStatus(revisions: Revisions): DeploymentStatus {
  const base = baseStatus(revisions);
  return measuresScale(revisions) ? withProgress(revisions, base) : base;
}

/**
 * Whether progress is measured in scale passes, too: under `TerminationComplete` a scale may be held back for long, and
 * Pods that terminate meanwhile are progress.
 */
export function measuresScale({ budget, deployment }: Revisions): boolean {
  const isMeasurable = deployment.spec.paused !== true && deadlineOf(deployment) !== undefined;
  return budget.policy === "TerminationComplete" && isMeasurable;
}

/** Writes a status, unless it is what is stored already. */
export function writeStatus({ deployment }: Revisions, status: DeploymentStatus): readonly RolloutAction[] {
  if (semanticEqual("apps.v1.DeploymentStatus", status, deployment.status ?? {})) return [];
  return [{ kind: "update-status", deployment: { ...deployment, status } }];
}

/** When to plan again a rollout whose status did not change: just after its deadline. */
export function recheckAt(revisions: Revisions, status: DeploymentStatus): Instant | undefined {
  // A complete rollout has no deadline any more.
  const check = isRolledOut(revisions, status)
    ? { kind: "never" as const }
    : progressCheck(revisions, status);
  switch (check.kind) {
    case "never":
      return undefined;
    case "now":
      return revisions.now + 1000;
    case "in":
      return revisions.now + check.ms + 1000;
  }
}

/** A failure to create or delete Pods: the new ReplicaSet's, or else that of any other. */
function replicaFailure({ newReplicaSet, oldReplicaSets }: Revisions): DeploymentCondition | undefined {
  const candidates = newReplicaSet === undefined ? oldReplicaSets : [newReplicaSet, ...oldReplicaSets];
  const found = candidates.flatMap((replicaSet) => failureOf(replicaSet) ?? [])[0];
  if (found === undefined) return undefined;
  const { type, status, lastTransitionTime, ...why } = found;
  return lastTransitionTime === undefined
    ? { type, status, ...why }
    : { type, status, lastUpdateTime: lastTransitionTime, lastTransitionTime, ...why };
}

function failureOf({ status }: ReplicaSet): ReplicaSetCondition | undefined {
  return findCondition(conditionsOf(status), "ReplicaFailure");
}

/** Counters that are pointers in Go: absent means unknown, not 0. */
const pointers: ReadonlySet<string> = new Set(["terminatingReplicas", "collisionCount"]);

/** A status as Go writes it: counters at 0 are left out, but for those that are pointers. */
function nonZero(status: DeploymentStatus): DeploymentStatus {
  return Object.fromEntries(
    Object.entries(status).filter(([name, value]) => value !== 0 || pointers.has(name)),
  );
}
