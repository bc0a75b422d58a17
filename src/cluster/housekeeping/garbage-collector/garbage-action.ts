import type { ObjectMeta, OwnerReference } from "../../../api/generated/meta-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";

export const orphanFinalizer = "orphan";
export const foregroundFinalizer = "foregroundDeletion";

/** An owner reference and the state of the owner. */
export interface OwnerState {
  readonly reference: OwnerReference;
  /** `waiting`: being deleted in the foreground, until its dependents are gone. */
  readonly state: "alive" | "absent" | "waiting";
}

export interface Dependent {
  readonly blocksOwner: boolean;
  readonly isBeingDeleted: boolean;
  /** It is being deleted in the foreground, until its own dependents are gone. */
  readonly isWaiting: boolean;
}

/** An object with its owners and dependents. */
export interface GraphNode {
  readonly metadata: ObjectMeta;
  readonly owners: readonly OwnerState[];
  /** Read only when needed: there may be thousands, and few objects are being deleted. */
  readonly dependents: () => readonly Dependent[];
}

/** What has to be done to an object because of its owners or its dependents. */
export type GarbageAction =
  | { readonly do: "nothing" }
  | {
      readonly do: "delete";
      readonly propagation: "Background" | "Foreground" | "Orphan";
      /** The owners are first told not to wait for this object, because they wait for each other in a circle. */
      readonly unblocksOwners?: true;
    }
  | { readonly do: "drop-references"; readonly uids: readonly string[] }
  /** Remove the references to this owner from its dependents, then the finalizer from the owner. */
  | { readonly do: "orphan-dependents" }
  | { readonly do: "delete-dependents" }
  | { readonly do: "remove-finalizer"; readonly finalizer: string };

const nothing: GarbageAction = { do: "nothing" };

/** Decides whether and how an object is collected. */
export function garbageActionFor(node: GraphNode): GarbageAction {
  return isBeingDeleted(node) ? actionWhileDeleted(node) : actionForOwned(node);
}

function actionWhileDeleted({ metadata, dependents }: GraphNode): GarbageAction {
  if (hasFinalizer(metadata, orphanFinalizer)) return { do: "orphan-dependents" };
  if (!hasFinalizer(metadata, foregroundFinalizer)) return nothing;
  const remaining = dependents();
  if (!remaining.some((dependent) => dependent.blocksOwner))
    return { do: "remove-finalizer", finalizer: foregroundFinalizer };
  return remaining.some((dependent) => !dependent.isBeingDeleted) ? { do: "delete-dependents" } : nothing;
}

function actionForOwned({ metadata, owners, dependents }: GraphNode): GarbageAction {
  if (owners.length === 0) return nothing;
  const gone = owners.filter((owner) => owner.state !== "alive");
  if (gone.length === 0) return nothing;
  if (gone.length < owners.length)
    return { do: "drop-references", uids: gone.map((owner) => owner.reference.uid) };
  // An owner in foreground deletion waits for its dependents, and for theirs as well.
  if (owners.some((owner) => owner.state === "waiting")) {
    const below = dependents();
    // upstream: an owner and a dependent that both wait are taken for a circle, without following it.
    if (below.some(({ isWaiting }) => isWaiting))
      return { do: "delete", propagation: "Foreground", unblocksOwners: true };
    if (below.length > 0) return { do: "delete", propagation: "Foreground" };
  }
  return { do: "delete", propagation: requestedPropagation(metadata) };
}

function requestedPropagation(metadata: ObjectMeta): "Background" | "Foreground" | "Orphan" {
  if (hasFinalizer(metadata, orphanFinalizer)) return "Orphan";
  return hasFinalizer(metadata, foregroundFinalizer) ? "Foreground" : "Background";
}

/** Whether an object is being deleted in the foreground. */
export function isWaitingForDependents(metadata: ObjectMeta): boolean {
  return isBeingDeleted({ metadata }) && hasFinalizer(metadata, foregroundFinalizer);
}

function hasFinalizer(metadata: ObjectMeta, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}
