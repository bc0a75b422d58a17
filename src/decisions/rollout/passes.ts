import type { Action } from "./action.ts";
import { countOf } from "./counts.ts";
import { createNewReplicaSet, syncNewReplicaSet } from "./find-new-replica-set.ts";
import { fleetOf } from "./fleet.ts";
import { cleanUpHistory } from "./history-cleanup.ts";
import { done, type Ending, retry } from "./outcome.ts";
import { type Pass, perform } from "./pass.ts";
import { isComplete } from "./progress.ts";
import { isGone, leftoversOf, sizeOnlyReplicaSet } from "./recreate.ts";
import { rollBack, rollbackTarget } from "./rollback.ts";
import { shrinkOldReplicaSets, sizeNewReplicaSet } from "./rolling-update.ts";
import { drainOld, scaleReplicaSets } from "./scale.ts";
import { baseStatus, recheckAt, rolloutStatus, scaleStatus, writeStatus } from "./status.ts";
import { go, type Step, terminatingUnknown } from "./step.ts";

/** Looks the new ReplicaSet up; see `syncNewReplicaSet`. */
export function lookUp(pass: Pass): Pass {
  return perform(pass, syncNewReplicaSet(fleetOf(pass.state)));
}

/** Looks the new ReplicaSet up, or creates it. */
function findOrCreate(pass: Pass): Step {
  const fleet = fleetOf(pass.state);
  const create = fleet.newReplicaSet === undefined ? createNewReplicaSet(fleet) : go();
  return create.kind === "wait" ? create : go([...syncNewReplicaSet(fleet), ...create.actions]);
}

/** A rolling update: one side of the balance a pass, the new ReplicaSet first, so that each sees what the other did. */
export function rollingPass(start: Pass): Ending {
  const found = findOrCreate(start);
  if (found.kind === "wait") return retry(start, found.because);
  const pass = perform(start, found.actions);
  const sized = sizeNewReplicaSet(fleetOf(pass.state));
  if (sized.kind === "wait") return retry(pass, sized.because);
  if (sized.actions.length > 0) return endRollout(perform(pass, sized.actions));
  const { actions, stale } = shrinkOldReplicaSets(fleetOf(pass.state));
  const shrunk = perform(pass, actions);
  // A step that was cut short counts as none, as upstream has it.
  return actions.length > 0 && stale === undefined
    ? endRollout(shrunk)
    : endRollout(cleanUpIfComplete(shrunk));
}

/** A rollout that ends the old revisions before it begins the new one. */
export function recreatePass(start: Pass): Ending {
  const pass = lookUp(start);
  const fleet = fleetOf(pass.state);
  const drained = drainOld(fleet);
  if (drained.length > 0) return endRollout(perform(pass, drained));
  const leftovers = leftoversOf(fleet);
  if (leftovers === undefined) return retry(pass, terminatingUnknown(fleet));
  if (!isGone(leftovers)) return endRollout(pass);
  const created = fleet.newReplicaSet === undefined ? createNewReplicaSet(fleet) : go();
  if (created.kind === "wait") return retry(pass, created.because);
  const ready = perform(pass, created.actions);
  const sized = sizeOnlyReplicaSet(fleetOf(ready.state));
  if (sized.kind === "wait") return retry(ready, sized.because);
  return endRollout(cleanUpIfComplete(perform(ready, sized.actions)));
}

/** A change of size, or anything while paused: ReplicaSets are scaled, none is created or rolled out. */
export function scalePass(start: Pass): Ending {
  const pass = lookUp(start);
  const scaled = scaleReplicaSets(fleetOf(pass.state));
  if (scaled.kind === "wait") return retry(pass, scaled.because);
  const after = perform(pass, scaled.actions);
  const { deployment } = after.state;
  const isTidied = deployment.spec.paused === true && rollbackTarget(deployment) === undefined;
  const tidy = isTidied ? perform(after, cleanUpHistory(fleetOf(after.state))) : after;
  const fleet = fleetOf(tidy.state);
  return done(perform(tidy, writeStatus(fleet, scaleStatus(fleet))));
}

/** The deprecated way back to an earlier template. */
export function rollbackPass(start: Pass, target: bigint): Ending {
  const found = findOrCreate(start);
  if (found.kind === "wait") return retry(start, found.because);
  const pass = perform(start, found.actions);
  return done(perform(pass, rollBack(fleetOf(pass.state), target)));
}

/** A Deployment on its way out: its ReplicaSets are the garbage collector's, only its status is kept. */
export function statusPass(start: Pass): Ending {
  const pass = lookUp(start);
  const fleet = fleetOf(pass.state);
  return done(perform(pass, writeStatus(fleet, baseStatus(fleet))));
}

/** A Deployment that would claim everything: people are told, nothing else is done. */
export function refusalPass(start: Pass): Ending {
  const { deployment } = start.state;
  const message = "This deployment is selecting all pods. A non-empty selector is required.";
  const told = perform(start, [
    { kind: "record-event", event: { type: "Warning", reason: "SelectingAll", message } },
  ]);
  const observedGeneration = countOf(deployment.metadata.generation);
  if (countOf(deployment.status?.observedGeneration) >= observedGeneration) return done(told);
  const status = { ...deployment.status, observedGeneration };
  return done(perform(told, [{ kind: "update-status", deployment: { ...deployment, status } }]));
}

function cleanUpIfComplete(pass: Pass): Pass {
  const fleet = fleetOf(pass.state);
  return isComplete(fleet, fleet.deployment.status) ? perform(pass, cleanUpHistory(fleet)) : pass;
}

function endRollout(pass: Pass): Ending {
  const fleet = fleetOf(pass.state);
  const status = rolloutStatus(fleet);
  const written: readonly Action[] = writeStatus(fleet, status);
  return written.length > 0 ? done(perform(pass, written)) : done(pass, recheckAt(fleet, status));
}
