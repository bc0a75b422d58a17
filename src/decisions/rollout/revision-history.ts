import { maxInt32 } from "../../api/int-or-string.ts";
import { extended } from "../../api/extended.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import type { RolloutAction } from "./action.ts";
import {
  type Annotations,
  annotationsOf,
  parseInt64,
  revisionAnnotation,
  revisionHistoryAnnotation,
  successor,
} from "./annotations.ts";
import { countOf, hasReplicas, isStatusCurrent, podsOf, terminatingOf } from "./counts.ts";
import { byAge, type Revisions } from "./revisions.ts";

/** The longest list of earlier revisions, in characters. */
const historyLength = 2000;

/** A ReplicaSet's revision, 0 when it has none; `undefined` when it cannot be read. Revisions are int64, hence BigInt. */
export function revisionNumberOf(replicaSet: ReplicaSet): bigint | undefined {
  const text = annotationsOf(replicaSet)[revisionAnnotation];
  return text === undefined ? 0n : parseInt64(text);
}

/** The revision after the highest of the old ones. */
export function nextRevision(oldReplicaSets: readonly ReplicaSet[]): bigint {
  return successor(
    readable(oldReplicaSets).reduce((highest, revision) => (revision > highest ? revision : highest), 0n),
  );
}

/** The second highest revision, which is what a rollback to "the last one" means; 0 when there is none. */
export function lastRevision(replicaSets: readonly ReplicaSet[]): bigint {
  let [highest, second] = [0n, 0n];
  for (const revision of readable(replicaSets)) {
    if (revision >= highest) [highest, second] = [revision, highest];
    else if (revision > second) second = revision;
  }
  return second;
}

/**
 * The annotations with at least this revision; `undefined` when the present one cannot be read. Revisions are only ever
 * raised, and the previous one is appended to the history.
 */
export function raiseRevision(annotations: Annotations, revision: bigint): Annotations | undefined {
  const before = annotations[revisionAnnotation];
  const present = before === undefined || before === "" ? 0n : parseInt64(before);
  if (present === undefined) return undefined;
  if (present >= revision) return annotations;
  const raised = extended(annotations, { [revisionAnnotation]: String(revision) });
  if (before === undefined) return raised;
  return {
    ...raised,
    [revisionHistoryAnnotation]: appendToHistory(annotations[revisionHistoryAnnotation] ?? "", before),
  };
}

/** Appends to the history, dropping its oldest entries until the rest fits; what cannot fit at all is not recorded. */
export function appendToHistory(history: string, revision: string, length = historyLength): string {
  if (history === "" || history.startsWith(",")) return revision;
  let kept = history.split(",");
  let total = history.length + 1 + revision.length;
  while (total > length && kept.length > 0) {
    total -= (kept[0]?.length ?? 0) + 1;
    kept = kept.slice(1);
  }
  return total <= length ? [...kept, revision].join(",") : history;
}

function readable(replicaSets: readonly ReplicaSet[]): readonly bigint[] {
  return replicaSets.flatMap((replicaSet) => revisionNumberOf(replicaSet) ?? []);
}

/**
 * Deletes the earliest old ReplicaSets beyond the Deployment's history limit. Only as many are considered as exceed it:
 * one that still has Pods is kept, and no other is deleted in its stead.
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
  const isEmpty = !hasReplicas(replicaSet) && podsOf(replicaSet) === 0;
  return isEmpty && isStatusCurrent(replicaSet) && (!mindTerminating || terminatingOf(replicaSet) === 0);
}

/** The earliest revision first; age decides between equals and wherever a revision cannot be read. */
function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const [first, second] = [revisionNumberOf(a), revisionNumberOf(b)];
  if (first === undefined || second === undefined || first === second) return byAge(a, b);
  return first < second ? -1 : 1;
}
