import type { DeploymentStatus } from "../../api/generated/apps-v1.ts";
import type { RolloutAction } from "./action.ts";
import { countOf, sizeOf } from "./counts.ts";
import { createNewReplicaSet, sizeNewReplicaSet, syncNewReplicaSet } from "./new-replica-set.ts";
import { revisionsOf } from "./revisions.ts";
import { cleanUpHistory } from "./revision-history.ts";
import { addActions, ended, type Pass, type PassResult, proceed, retry, type StageResult } from "./pass.ts";
import { isComplete } from "./status/progress.ts";
import { awaitOldPods } from "./recreate.ts";
import { rollBack, rollbackTarget } from "./rollback.ts";
import { shrinkOldReplicaSets } from "./rolling-update.ts";
import { drainOld, scaleReplicaSets, waitsForTermination } from "./scale.ts";
import {
  baseStatus,
  measuresScale,
  recheckAt,
  rolloutStatus,
  scaleStatus,
  writeStatus,
} from "./status/status.ts";
import { announceWait } from "./status/termination-wait.ts";

/** Synchronizes the new ReplicaSet if it exists; see `syncNewReplicaSet`. */
export function lookUp(pass: Pass): Pass {
  return addActions(pass, syncNewReplicaSet(revisionsOf(pass.state)));
}

/** Synchronizes the new ReplicaSet, or creates it. */
function findOrCreate(pass: Pass): StageResult {
  const revisions = revisionsOf(pass.state);
  const create = revisions.newReplicaSet === undefined ? createNewReplicaSet(revisions) : proceed();
  return create.kind === "wait" ? create : proceed([...syncNewReplicaSet(revisions), ...create.actions]);
}

/** A rolling update: scales the new ReplicaSet or the old ones, never both in one pass, so that each sees the other. */
function rollingPass(start: Pass): PassResult {
  const found = findOrCreate(start);
  if (found.kind === "wait") return retry(start, found.limitedBy);
  const pass = addActions(start, found.actions);
  const sized = sizeNewReplicaSet(revisionsOf(pass.state));
  if (sized.kind === "wait") return retry(pass, sized.limitedBy);
  if (sized.actions.length > 0) return endRollout(addActions(pass, sized.actions));
  const { actions, stale } = shrinkOldReplicaSets(revisionsOf(pass.state));
  const shrunk = addActions(pass, actions);
  // upstream: a scale-down that was cut short counts as none.
  return actions.length > 0 && stale === undefined
    ? endRollout(shrunk)
    : endRollout(cleanUpIfComplete(shrunk));
}

/** A rollout that removes the old revisions before it starts the new one. */
function recreatePass(start: Pass): PassResult {
  const pass = lookUp(start);
  const revisions = revisionsOf(pass.state);
  const drained = drainOld(revisions);
  if (drained.length > 0) return endRollout(addActions(pass, drained));
  const awaited = awaitOldPods(revisions);
  if (awaited.kind === "wait") return retry(pass, awaited.limitedBy);
  if (awaited.limitedBy !== undefined) return endRollout(pass);
  const created = revisions.newReplicaSet === undefined ? createNewReplicaSet(revisions) : proceed();
  if (created.kind === "wait") return retry(pass, created.limitedBy);
  const ready = addActions(pass, created.actions);
  const sized = sizeNewReplicaSet(revisionsOf(ready.state));
  if (sized.kind === "wait") return retry(ready, sized.limitedBy);
  return endRollout(cleanUpIfComplete(addActions(ready, sized.actions)));
}

/** Any pass over a paused Deployment: its ReplicaSets are scaled, none is created or rolled out. */
export function pausedPass(start: Pass): PassResult {
  const scaled = scaleSizes(lookUp(start));
  if (scaled.outcome.kind !== "done") return scaled;
  const { deployment } = scaled.pass.state;
  if (rollbackTarget(deployment) !== undefined) return endScale(scaled.pass);
  return endScale(addActions(scaled.pass, cleanUpHistory(revisionsOf(scaled.pass.state))));
}

/**
 * A change of replicas, which comes before a change of template made together with it. A scale that waits for
 * terminating Pods holds back nothing else: the rollout goes on beside it, within the same budgets.
 */
export function scalePass(start: Pass): PassResult & { readonly kind: RolloutKind | "scale" } {
  const scaled = scaleSizes(start);
  if (scaled.outcome.kind !== "done") return { kind: "scale", ...scaled };
  const { pass } = scaled;
  const isScaled = sizesIn(pass) !== sizesIn(start);
  if (isScaled || !waitsForTermination(revisionsOf(pass.state))) return { kind: "scale", ...endScale(pass) };
  const rollout = rolloutPass(pass);
  return sizesIn(rollout.pass) === sizesIn(pass) ? { ...rollout, kind: "scale" } : rollout;
}

/** The kinds of pass that roll out a template. */
export type RolloutKind = "rolling-update" | "recreate";

/** A rollout by the Deployment's strategy. */
export function rolloutPass(start: Pass): PassResult & { readonly kind: RolloutKind } {
  return revisionsOf(start.state).budget.strategy === "Recreate"
    ? { kind: "recreate", ...recreatePass(start) }
    : { kind: "rolling-update", ...rollingPass(start) };
}

function scaleSizes(pass: Pass): PassResult {
  const scaled = scaleReplicaSets(revisionsOf(pass.state));
  return scaled.kind === "wait" ? retry(pass, scaled.limitedBy) : ended(addActions(pass, scaled.actions));
}

function sizesIn({ state }: Pass): string {
  return state.replicaSets.map(sizeOf).join();
}

/** A rollback to an earlier template, requested by the deprecated annotation. */
export function rollbackPass(start: Pass, target: bigint): PassResult {
  const found = findOrCreate(start);
  if (found.kind === "wait") return retry(start, found.limitedBy);
  const pass = addActions(start, found.actions);
  return ended(addActions(pass, rollBack(revisionsOf(pass.state), target)));
}

/** A Deployment being deleted: the garbage collector deletes its ReplicaSets, only its status is kept up to date. */
export function statusPass(start: Pass): PassResult {
  const pass = lookUp(start);
  const revisions = revisionsOf(pass.state);
  return ended(addActions(pass, writeStatus(revisions, baseStatus(revisions))));
}

/** A Deployment that selects all Pods: an Event reports it, and nothing is changed. */
export function refusalPass(start: Pass): PassResult {
  const { deployment } = start.state;
  const message = "This deployment is selecting all pods. A non-empty selector is required.";
  const reported = addActions(start, [
    { kind: "record-event", event: { type: "Warning", reason: "SelectingAll", message } },
  ]);
  const observedGeneration = countOf(deployment.metadata.generation);
  if (countOf(deployment.status?.observedGeneration) >= observedGeneration) return ended(reported);
  const status = { ...deployment.status, observedGeneration };
  return ended(addActions(reported, [{ kind: "update-status", deployment: { ...deployment, status } }]));
}

function cleanUpIfComplete(pass: Pass): Pass {
  const revisions = revisionsOf(pass.state);
  return isComplete(revisions, revisions.deployment.status)
    ? addActions(pass, cleanUpHistory(revisions))
    : pass;
}

function endRollout(pass: Pass): PassResult {
  return endWith(pass, rolloutStatus(revisionsOf(pass.state)));
}

function endScale(pass: Pass): PassResult {
  const revisions = revisionsOf(pass.state);
  const status = scaleStatus(revisions);
  return measuresScale(revisions)
    ? endWith(pass, status)
    : ended(addActions(pass, writeStatus(revisions, status)));
}

/** Writes a status that measures progress; if it is stored already, the deadline is checked when it is due. */
function endWith(pass: Pass, status: DeploymentStatus): PassResult {
  const revisions = revisionsOf(pass.state);
  const written: readonly RolloutAction[] = writeStatus(revisions, status);
  if (written.length === 0) return ended(pass, recheckAt(revisions, status));
  return ended(addActions(pass, [...written, ...announceWait(revisions, status)]));
}
