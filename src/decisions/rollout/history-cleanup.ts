import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import type { RolloutAction } from "./action.ts";
import { countOf, isStatusCurrent, isActive, maxInt32, podsOf } from "./counts.ts";
import type { Revisions } from "./fleet.ts";
import { byAge } from "./replica-set-order.ts";
import { revisionNumberOf } from "./revisions.ts";
import { terminatingOf } from "./terminating.ts";

/**
 * Deletes the earliest old ReplicaSets beyond the Deployment's history limit. Only as many are looked at as are too
 * many: one that still has Pods keeps its place, and nobody else is deleted in its stead.
 */
export function cleanUpHistory({ deployment, oldReplicaSets, budget }: Revisions): readonly RolloutAction[] {
  const limit = deployment.spec.revisionHistoryLimit ?? maxInt32;
  if (limit === maxInt32) return [];
  const kept = oldReplicaSets.filter((replicaSet) => !isBeingDeleted(replicaSet));
  const excess = Math.max(kept.length - countOf(limit), 0);
  return kept
    .toSorted(byRevision)
    .slice(0, excess)
    .filter((replicaSet) => isIdle(replicaSet, budget.tracksPartialScale))
    .map((replicaSet) => ({ kind: "delete-replica-set", replicaSet }));
}

function isIdle(replicaSet: ReplicaSet, mindTerminating: boolean): boolean {
  const isEmpty = !isActive(replicaSet) && podsOf(replicaSet) === 0;
  return isEmpty && isStatusCurrent(replicaSet) && (!mindTerminating || terminatingOf(replicaSet) === 0);
}

/** The earliest revision first; age decides between equals and wherever a revision cannot be read. */
function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const [first, second] = [revisionNumberOf(a), revisionNumberOf(b)];
  if (first === undefined || second === undefined || first === second) return byAge(a, b);
  return first < second ? -1 : 1;
}
