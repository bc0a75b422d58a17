import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { annotationsOf, beforeScaleAnnotation, countAnnotation, revisionAnnotation } from "./annotations.ts";
import { isActive, sizeOf } from "./counts.ts";
import { activeReplicaSets, type Revisions } from "./revisions.ts";
import { growthOf, grownSize } from "./grown-size.ts";
import type { Limit, RevisionLimit } from "./limit.ts";
import { completionLimit } from "./progress.ts";
import { awaitOldPods } from "./recreate.ts";
import { shrinkOldReplicaSets } from "./rolling-update.ts";

const none: Limit = { kind: "none" };
const nextPass: Limit = { kind: "next-pass" };
const paused: Limit = { kind: "paused" };

/**
 * What limits each revision: the new one first, then the old ones from the oldest. A plan states it for the state its
 * actions lead to, so the stages of the next pass are run on that state: a revision for which they have something to do
 * goes on in the next pass, and any other is limited by what the stage says limited it.
 */
export function revisionLimits(revisions: Revisions): readonly RevisionLimit[] {
  const { deployment, newReplicaSet, oldReplicaSets } = revisions;
  const isEnding = isBeingDeleted(deployment);
  const shrinking = isEnding ? none : shrinkingLimit(revisions);
  return [
    describe("new", newReplicaSet, isEnding ? none : newLimit(revisions)),
    ...oldReplicaSets.map((old) =>
      describe(
        "old",
        old,
        isHeldBack(old, revisions) && !isEnding ? roomLimit(revisions) : isActive(old) ? shrinking : none,
      ),
    ),
  ];
}

function describe(role: "new" | "old", replicaSet: ReplicaSet | undefined, limit: Limit): RevisionLimit {
  if (replicaSet === undefined) return { role, size: 0, limit };
  const revision = annotationsOf(replicaSet)[revisionAnnotation];
  return {
    role,
    replicaSet: replicaSet.metadata.name,
    ...(revision === undefined ? {} : { revision }),
    size: sizeOf(replicaSet),
    limit,
  };
}

function newLimit(revisions: Revisions): Limit {
  const { deployment, newReplicaSet, budget } = revisions;
  const isPaused = deployment.spec.paused === true;
  const isAwaiting = budget.strategy === "Recreate" && !isPaused;
  const oldPods = isAwaiting ? awaitOldPods(revisions).limitedBy : undefined;
  if (newReplicaSet !== undefined && sizeOf(newReplicaSet) >= budget.replicas) {
    const completion = completionLimit(revisions, deployment.status);
    return completion.kind === "none" ? (oldPods ?? none) : completion;
  }
  // While a Deployment is paused, a single revision is still scaled to its replicas.
  if (isPaused && !isOnlyActive(newReplicaSet, revisions)) return paused;
  return oldPods ?? sizeLimit(newReplicaSet, revisions);
}

function isOnlyActive(replicaSet: ReplicaSet | undefined, revisions: Revisions): boolean {
  return replicaSet !== undefined && activeReplicaSets(revisions).every((other) => other === replicaSet);
}

/** What limits a ReplicaSet that has fewer Pods than all replicas. */
function sizeLimit(replicaSet: ReplicaSet | undefined, revisions: Revisions): Limit {
  const growth = grownSize(replicaSet, revisions);
  const size = replicaSet === undefined ? 0 : sizeOf(replicaSet);
  return growth.limitedBy === undefined || (growth.kind === "known" && growth.pods > size)
    ? nextPass
    : growth.limitedBy;
}

/** Whether terminating Pods hold back a scale of the ReplicaSet. */
function isHeldBack(replicaSet: ReplicaSet, { budget }: Revisions): boolean {
  const isMarked = countAnnotation(replicaSet, beforeScaleAnnotation) !== undefined;
  return budget.policy === "TerminationComplete" && isActive(replicaSet) && isMarked;
}

/** What limits a scale that is held back. */
function roomLimit(revisions: Revisions): Limit {
  const growth = growthOf(revisions);
  return growth.limitedBy === undefined || (growth.kind === "known" && growth.pods > 0)
    ? nextPass
    : growth.limitedBy;
}

/** What limits the old revisions on their way to no Pods. */
function shrinkingLimit(revisions: Revisions): Limit {
  const { budget, deployment, newReplicaSet } = revisions;
  if (deployment.spec.paused === true) return paused;
  if (budget.strategy === "Recreate" || newReplicaSet === undefined) return nextPass;
  return shrinkOldReplicaSets(revisions).limitedBy ?? nextPass;
}
