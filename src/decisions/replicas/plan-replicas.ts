import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { type ReplicaOwner, desiredReplicasOf } from "./replica-owner.ts";

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
