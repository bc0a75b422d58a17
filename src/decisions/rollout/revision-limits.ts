import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { annotationsOf, revisionAnnotation } from "./annotations.ts";
import { hasReplicas, sizeOf } from "./counts.ts";
import { activeReplicaSets, type Revisions } from "./revisions.ts";
import { heldLimit } from "./protection.ts";
import { type Growth, growthOf, grownSize } from "./grown-size.ts";
import type { Limit, RevisionLimit } from "./limit.ts";
import { completionLimit } from "./status/progress.ts";
import { awaitOldPods } from "./recreate.ts";
import { shrinkOldReplicaSets } from "./rolling-update.ts";
import { isHeldBack } from "./scale.ts";

const none: Limit = { kind: "none" };
const nextPass: Limit = { kind: "next-pass" };
const paused: Limit = { kind: "paused" };

/**
 * What limits each revision: the new one first, then the old ones from the oldest. A plan states this for the state its
 * actions lead to, so the stages run once more on that state: a revision that a stage would change goes on in the next
 * pass, any other is limited by what the stage says limited it.
 */
export function revisionLimits(revisions: Revisions): readonly RevisionLimit[] {
  const { deployment, newReplicaSet, oldReplicaSets } = revisions;
  if (isBeingDeleted(deployment)) {
    return [describe("new", newReplicaSet, none), ...oldReplicaSets.map((old) => describe("old", old, none))];
  }
  const shrinking = shrinkingLimit(revisions);
  const oldLimit = (old: ReplicaSet) => {
    const held = heldLimit(old);
    if (held !== undefined) return held;
    if (!hasReplicas(old)) return none;
    return isHeldBack(old, revisions) ? growthLimit(growthOf(revisions), 0) : shrinking;
  };
  return [
    describe("new", newReplicaSet, (newReplicaSet && heldLimit(newReplicaSet)) ?? newLimit(revisions)),
    ...oldReplicaSets.map((old) => describe("old", old, oldLimit(old))),
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
  const size = newReplicaSet === undefined ? 0 : sizeOf(newReplicaSet);
  if (newReplicaSet !== undefined && size >= budget.replicas) {
    const completion = completionLimit(revisions, deployment.status);
    return completion.kind === "none" ? (oldPodsLimit(revisions) ?? none) : completion;
  }
  // While a Deployment is paused, a single revision is still scaled to its replicas.
  if (deployment.spec.paused === true && !isOnlyActive(newReplicaSet, revisions)) return paused;
  return oldPodsLimit(revisions) ?? growthLimit(grownSize(newReplicaSet, revisions), size);
}

function oldPodsLimit(revisions: Revisions): Limit | undefined {
  const isRecreating = revisions.budget.strategy === "Recreate" && revisions.deployment.spec.paused !== true;
  return isRecreating ? awaitOldPods(revisions).limitedBy : undefined;
}

function isOnlyActive(replicaSet: ReplicaSet | undefined, revisions: Revisions): boolean {
  return replicaSet !== undefined && activeReplicaSets(revisions).every((other) => other === replicaSet);
}

/** Returns what limits a growth that has reached `present` Pods. */
function growthLimit(growth: Growth, present: number): Limit {
  if (growth.kind === "known" && growth.pods > present) return nextPass;
  return growth.limitedBy ?? nextPass;
}

/** What limits the old revisions on their way to 0 Pods. */
function shrinkingLimit(revisions: Revisions): Limit {
  const { budget, deployment, newReplicaSet } = revisions;
  if (deployment.spec.paused === true) return paused;
  if (budget.strategy === "Recreate" || newReplicaSet === undefined) return nextPass;
  return shrinkOldReplicaSets(revisions).limitedBy ?? nextPass;
}
