import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { type ReplicaOwner, desiredReplicasOf } from "./replica-owner.ts";
import { readySince } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";

/** Limits the Pods that one sync creates or deletes. */
// upstream: BurstReplicas
export const burst = 500;

/** Why no Pod may be created or deleted now, whatever their number is. */
export type HoldReason =
  /** The informers have not observed what was created or deleted before. */
  | "expecting"
  /** The owner is being deleted. */
  | "deleting"
  /** The desired number of Pods is not a count. */
  | "unreadable";

/** What is to be done about the number of an owner's Pods. */
export type ReplicasPlan =
  | { readonly kind: "hold"; readonly because: HoldReason }
  | { readonly kind: "rest" }
  | { readonly kind: "create" | "delete"; readonly count: number };

export interface ReplicasState {
  readonly owner: ReplicaOwner;
  /** Its active Pods. */
  readonly active: readonly Pod[];
  /** Whether Pods were created or deleted before that the informers have not observed: then `active` is out of date. */
  readonly isExpecting: boolean;
}

/** Decides how many Pods to create or to delete; `chooseVictims` decides which. */
export function planReplicas({ owner, active, isExpecting }: ReplicasState): ReplicasPlan {
  if (isBeingDeleted(owner)) return { kind: "hold", because: "deleting" };
  if (isExpecting) return { kind: "hold", because: "expecting" };
  const desired = desiredReplicasOf(owner);
  if (desired === undefined) return { kind: "hold", because: "unreadable" };
  const missing = desired - active.length;
  if (missing === 0) return { kind: "rest" };
  return { kind: missing > 0 ? "create" : "delete", count: Math.min(Math.abs(missing), burst) };
}

/**
 * The sizes of the batches in which Pods are created: 1, 2, 4 and so on. When creations fail, as under a quota,
 * the first, small batch is the last one; when they succeed, nearly all Pods are created at once.
 */
export function slowStart(count: number): readonly number[] {
  const sizes: number[] = [];
  for (let left = count, size = 1; left > 0; left -= size, size *= 2) sizes.push(Math.min(size, left));
  return sizes;
}

/** How long an owner's Pods have to be Ready before they count as available. */
export function minReadySecondsOf({ spec }: ReplicaOwner): number {
  const minReadySeconds = spec?.minReadySeconds ?? 0;
  return minReadySeconds > 0 ? minReadySeconds : 0;
}

/** What the time of the next recheck depends on. */
interface AvailabilityState {
  /** With the status it reports now. */
  readonly owner: ReplicaOwner;
  readonly active: readonly Pod[];
  readonly now: Instant;
}

/** When to sync again because a Ready Pod becomes available then, for which there is no event. */
export function availabilityRecheckAt({ owner, active, now }: AvailabilityState): Instant | undefined {
  const minReadyMs = minReadySecondsOf(owner) * 1000;
  const { readyReplicas = 0, availableReplicas = 0 } = owner.status ?? {};
  if (minReadyMs === 0 || readyReplicas === availableReplicas) return undefined;
  const next = active.reduce((earliest, pod) => {
    const since = readySince(pod);
    const at = since === undefined ? Infinity : since + minReadyMs;
    return at > now ? Math.min(earliest, at) : earliest;
  }, Infinity);
  return next === Infinity ? now + minReadyMs : next;
}
