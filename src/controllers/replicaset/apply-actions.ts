import type { Pod } from "../../api/generated/core-v1.ts";
import { messageOf } from "../../api/message-of.ts";
import { keyOf } from "../../api/object.ts";
import {
  removalOrderProblem,
  scaleDownSpreadAnnotation,
  scaleDownSpreadOf,
} from "../../api/workload-settings.ts";
import { deletionAgeRatiosInSteps } from "../../decisions/downscale/age-ratio.ts";
import { type DecidedPod, decidingRule } from "../../decisions/downscale/reason.ts";
import type { Removal, ReplicaSetAction } from "../../decisions/replicas/replica-set-action.ts";
import type { FailureReason, ManageOutcome } from "../../decisions/replicas/replica-failure.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { runInSteps, yieldIfDue } from "../../machinery/clock/run-in-steps.ts";
import { applyHold } from "./apply-hold.ts";
import { createPods } from "./create-pods.ts";
import type { ReplicaSync } from "./sync-context.ts";
import { pods as podResource } from "../../api/resources.ts";
import { isConflict, isNotFound } from "../../machinery/client/api-error.ts";
import { attemptAll } from "../../machinery/attempt-all.ts";

/** The result of the actions. */
export interface AppliedReplicaActions<T> {
  /** For the status; absent when no Pods were to be created or deleted. */
  readonly outcome?: ManageOutcome;
  /** To be thrown once the status is written. */
  readonly error?: unknown;
  /** The owner as it was written, if it was. */
  readonly owner?: T;
}

/** Applies actions in order. */
export async function applyReplicaActions<T extends ReplicaOwner>(
  actions: readonly ReplicaSetAction[],
  context: ReplicaSync<T>,
): Promise<AppliedReplicaActions<T>> {
  let applied: AppliedReplicaActions<T> = {};
  for (const action of actions) applied = { ...applied, ...(await applyAction(action, context)) };
  return applied;
}

async function applyAction<T extends ReplicaOwner>(
  action: ReplicaSetAction,
  context: ReplicaSync<T>,
): Promise<AppliedReplicaActions<T>> {
  const { key, owner, pickers, syncState } = context;
  switch (action.kind) {
    case "ask-picker":
      pickers.ask(owner, action.unasked);
      return {};
    case "settle-picker":
      pickers.settle(owner, action.settled, action.standing);
      return {};
    case "dismiss-picker":
      pickers.dismiss(key);
      return {};
    case "hold-removal":
    case "end-hold":
      return { owner: await applyHold(action, context) };
    case "report-unreadable":
      context.replicaEvents.unreadableProtection(action.pods);
      return {};
    case "create-pods":
      return outcomeOf("FailedCreate", await createPods(action, context));
    case "delete-pods": {
      const { victims } = action.removal.choice;
      const podKeys = victims.map(({ pod }) => keyOf(pod));
      // Set before the removal is recorded, which may pause: a Pod that ends during the pause causes no further event.
      syncState.expectations.expectDeletions(key, podKeys);
      await recordRemoval(action.removal, context);
      return outcomeOf("FailedDelete", await deletePods(victims, context));
    }
  }
}

function outcomeOf(reason: FailureReason, error: unknown): AppliedReplicaActions<never> {
  if (error === undefined) return { outcome: { kind: "succeeded" } };
  return { outcome: { kind: "failed", reason, message: messageOf(error) }, error };
}

/** Events of single Pods may be dropped when there are many; the summary, the record and the metrics are complete. */
async function recordRemoval<T extends ReplicaOwner>(
  removal: Removal,
  { owner, kind, records, metrics, replicaEvents, clock }: ReplicaSync<T>,
): Promise<void> {
  const { namespace = "", name, uid } = owner.metadata;
  await yieldIfDue(clock); // a record of a thousand Pods is made without a pause
  records.add({ ...removal, workload: { kind: kind.resource.kind, namespace, name, uid } });

  if (scaleDownSpreadOf(owner) === "invalid")
    replicaEvents.invalidSpread(owner.metadata.annotations?.[scaleDownSpreadAnnotation]);
  const problem = removalOrderProblem(owner);
  if (problem !== undefined) replicaEvents.invalidOrder(problem);
  if (removal.isOverdue === true) replicaEvents.limitReached(removal.choice);
  replicaEvents.removing(removal.choice);
  const { victims, survivors } = removal.choice;
  await yieldIfDue(clock);
  for (const victim of victims) metrics.removed(decidingRule(victim));
  if (survivors.length === 0) return;
  const removed = victims.map(({ pod }) => pod);
  const ratios = await runInSteps(
    deletionAgeRatiosInSteps(removed, podsOf(victims, survivors), removal.facts.now),
    clock,
  );
  for (const ratio of ratios) metrics.ageRatio(ratio);
}

/** Iterates lazily: copying a list of tens of thousands for each of hundreds of removals costs more than reading it. */
function* podsOf(...lists: readonly (readonly DecidedPod[])[]): Iterable<Pod> {
  for (const list of lists) for (const { pod } of list) yield pod;
}

/**
 * Deletes Pods whose deletion is already expected. Tries every Pod, even if others fail; returns the first failure, if
 * any.
 */
async function deletePods<T extends ReplicaOwner>(
  victims: readonly DecidedPod[],
  context: ReplicaSync<T>,
): Promise<unknown> {
  const attempt = (victim: DecidedPod) => deletePod(victim, context);
  const errors = await attemptAll(victims, attempt, context.clock);
  return errors[0];
}

async function deletePod<T extends ReplicaOwner>(
  victim: DecidedPod,
  { key, client, syncState, replicaEvents, signal }: ReplicaSync<T>,
): Promise<void> {
  try {
    // Another Pod may have the name of an adopted one by now, and that is not the victim.
    const preconditions = { uid: victim.pod.metadata.uid };
    await client.delete(podResource, victim.pod.metadata, { preconditions, reads: "nothing", signal });
    replicaEvents.deleted(victim);
  } catch (error) {
    // The Pod is gone, even if another one has its name. Its deletion stays expected until the informer has observed
    // it: otherwise the Pod would be counted, and another one deleted in its place.
    if (isNotFound(error) || isConflict(error)) return;
    // No event may come for a deletion that failed.
    syncState.expectations.deletionObserved(key, keyOf(victim.pod));
    replicaEvents.deleteFailed(messageOf(error));
    throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error });
  }
}
