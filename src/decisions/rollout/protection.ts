import { findCondition, isConditionTrue, removalHeldCondition } from "../../api/conditions.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Draft } from "../../api/object.ts";
import { unprotectedLabel } from "../../api/pod-protection.ts";
import type { RolloutAction } from "./action.ts";
import { availableOf, countOf, isStatusReliable, podsOf, sizeOf } from "./counts.ts";
import type { Limit } from "./limit.ts";
import type { Revisions } from "./revisions.ts";
import type { RolloutState } from "./state.ts";
import { conditionsOf } from "./status/conditions.ts";

/** How many Pods a ReplicaSet keeps beyond its size because they are protected. */
export function heldOf(replicaSet: ReplicaSet): number {
  if (!isConditionTrue(conditionsOf(replicaSet.status), removalHeldCondition)) return 0;
  return Math.max(podsOf(replicaSet) - sizeOf(replicaSet), 0);
}

/** The Pods that a ReplicaSet has or may still create: its size alone does not show those that it may not remove. */
export function occupiedBy(replicaSet: ReplicaSet, { gates }: Pick<RolloutState, "gates">): number {
  const size = sizeOf(replicaSet);
  return gates.PodRemovalProtection ? Math.max(size, podsOf(replicaSet)) : size;
}

/** How many Pods of a ReplicaSet say themselves that they are protected; 0 with the gate off. */
export function protectedIn(
  { metadata }: ReplicaSet,
  { protectedPods }: Pick<RolloutState, "protectedPods">,
): number {
  return countOf(protectedPods?.[metadata.uid]);
}

/** The limit of a ReplicaSet that keeps protected Pods. */
export function heldLimit(replicaSet: ReplicaSet): Limit | undefined {
  const pods = heldOf(replicaSet);
  const message = findCondition(conditionsOf(replicaSet.status), removalHeldCondition)?.message ?? "";
  return pods === 0 ? undefined : { kind: "protected", pods, message };
}

const waitingText = "Waiting for protected Pods of ReplicaSet";

/**
 * What a rollout waits for when protection is the only thing: all Pods that a new revision may have by now are
 * available, and a ReplicaSet is not allowed to remove the Pods that are too many.
 */
export function describeProtectionWait(
  { deployment, replicaSets, newReplicaSet }: Revisions,
  isHolding = (replicaSet: ReplicaSet) => heldOf(replicaSet) > 0,
): string | undefined {
  if (deployment.spec.paused === true || !replicaSets.every(isStatusReliable)) return undefined;
  if (newReplicaSet !== undefined && availableOf(newReplicaSet) < sizeOf(newReplicaSet)) return undefined;
  const holding = replicaSets.find((each) => isHolding(each));
  if (holding === undefined) return undefined;
  const message = findCondition(conditionsOf(holding.status), removalHeldCondition)?.message ?? "";
  return `${waitingText} "${holding.metadata.name}": ${message}`;
}

/** Whether a message names protected Pods. */
export function namesProtectionWait(message: string | undefined): boolean {
  return message?.includes(waitingText) === true;
}

/** A ReplicaSet that `Recreate` drains: its contract is that all old Pods go, so protection is not looked at. */
export function withoutProtection(replicaSet: ReplicaSet, { gates }: RolloutState): ReplicaSet {
  if (!gates.PodRemovalProtection) return replicaSet;
  const { metadata } = replicaSet;
  return {
    ...replicaSet,
    metadata: { ...metadata, labels: { ...metadata.labels, [unprotectedLabel]: "Recreate" } },
  };
}

/** A ReplicaSet that is used again after `Recreate` has drained it. */
export function withProtection<R extends Draft<ReplicaSet>>(replicaSet: R): R {
  const { [unprotectedLabel]: mark, ...labels } = replicaSet.metadata.labels ?? {};
  return mark === undefined ? replicaSet : { ...replicaSet, metadata: { ...replicaSet.metadata, labels } };
}

/** The Event about protected Pods that `Recreate` removes. */
export function recreateEvent(replicaSet: ReplicaSet, state: RolloutState): readonly RolloutAction[] {
  const pods = protectedIn(replicaSet, state);
  if (pods === 0) return [];
  const message = `Recreate does not look at protection: ${pods} protected ${pods === 1 ? "Pod" : "Pods"} of ReplicaSet "${replicaSet.metadata.name}" will be removed`;
  return [{ kind: "record-event", event: { type: "Warning", reason: "ProtectionIgnored", message } }];
}
