import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { type ReplicaOwner, desiredReplicasOf } from "./replica-owner.ts";

/** No more Pods than this are created or deleted in one go, however many are missing or too many. */
export const burst = 500;

/** What is to be done about the number of an owner's Pods. */
export type ReplicasPlan =
  /** Nothing may be done now, whatever the number is. */
  | { readonly kind: "hold"; readonly because: "expecting" | "deleting" | "unreadable" }
  | { readonly kind: "rest" }
  | { readonly kind: "create" | "delete"; readonly count: number };

export interface ReplicasState {
  readonly owner: ReplicaOwner;
  /** Its active Pods. */
  readonly active: readonly Pod[];
  /** Whether something was done before whose effects have not been seen yet: then `active` is yesterday's news. */
  readonly isExpecting: boolean;
}

/** Decides how many Pods to create or to delete. Which ones go is the removal order's business. */
export function planReplicas({ owner, active, isExpecting }: ReplicasState): ReplicasPlan {
  if (isBeingDeleted(owner)) return { kind: "hold", because: "deleting" };
  if (isExpecting) return { kind: "hold", because: "expecting" };
  const wanted = desiredReplicasOf(owner);
  if (wanted === undefined) return { kind: "hold", because: "unreadable" };
  const missing = wanted - active.length;
  if (missing === 0) return { kind: "rest" };
  return { kind: missing > 0 ? "create" : "delete", count: Math.min(Math.abs(missing), burst) };
}
