import type { ObjectMeta, OwnerReference } from "../../../api/generated/meta-v1.ts";

export const orphanFinalizer = "orphan";
export const foregroundFinalizer = "foregroundDeletion";

/** An owner reference and what has become of the owner. */
export interface OwnerState {
  readonly reference: OwnerReference;
  /** `waiting`: being deleted in the foreground, until its dependents are gone. */
  readonly state: "alive" | "absent" | "waiting";
}

export interface Dependent {
  readonly blocksOwner: boolean;
  readonly isBeingDeleted: boolean;
}

/** An object as the collector sees it. */
export interface GraphNode {
  readonly metadata: ObjectMeta;
  readonly owners: readonly OwnerState[];
  /** Asked for only where it matters: there may be thousands, and hardly anybody is being deleted. */
  readonly dependents: () => readonly Dependent[];
}

/** What has to happen to an object because of its owners or its dependents. */
export type GarbageAction =
  | { readonly do: "nothing" }
  | { readonly do: "delete"; readonly propagation: "Background" | "Foreground" | "Orphan" }
  | { readonly do: "drop-references"; readonly uids: readonly string[] }
  /** Take this owner's references off its dependents, then the finalizer off the owner. */
  | { readonly do: "orphan-dependents" }
  | { readonly do: "delete-dependents" }
  | { readonly do: "remove-finalizer"; readonly finalizer: string };

const nothing: GarbageAction = { do: "nothing" };

/** Whether, and how, an object is collected. */
export function garbageActionFor(subject: GraphNode): GarbageAction {
  return isBeingDeleted(subject.metadata) ? judgeDeleting(subject) : judgeOwned(subject);
}

function judgeDeleting({ metadata, dependents }: GraphNode): GarbageAction {
  if (hasFinalizer(metadata, orphanFinalizer)) return { do: "orphan-dependents" };
  if (!hasFinalizer(metadata, foregroundFinalizer)) return nothing;
  const waitedFor = dependents();
  if (!waitedFor.some((dependent) => dependent.blocksOwner))
    return { do: "remove-finalizer", finalizer: foregroundFinalizer };
  return waitedFor.some((dependent) => !dependent.isBeingDeleted) ? { do: "delete-dependents" } : nothing;
}

function judgeOwned({ metadata, owners, dependents }: GraphNode): GarbageAction {
  if (owners.length === 0) return nothing;
  const gone = owners.filter((owner) => owner.state !== "alive");
  if (gone.length === 0) return nothing;
  if (gone.length < owners.length)
    return { do: "drop-references", uids: gone.map((owner) => owner.reference.uid) };
  // The whole family goes in the foreground when an owner waits for it and there is more family below.
  if (owners.some((owner) => owner.state === "waiting") && dependents().length > 0) {
    return { do: "delete", propagation: "Foreground" };
  }
  return { do: "delete", propagation: propagationAskedFor(metadata) };
}

function propagationAskedFor(metadata: ObjectMeta): "Background" | "Foreground" | "Orphan" {
  if (hasFinalizer(metadata, orphanFinalizer)) return "Orphan";
  return hasFinalizer(metadata, foregroundFinalizer) ? "Foreground" : "Background";
}

/** Deleted in the foreground and not gone yet. */
export function isWaitingForDependents(metadata: ObjectMeta): boolean {
  return isBeingDeleted(metadata) && hasFinalizer(metadata, foregroundFinalizer);
}

function isBeingDeleted(metadata: ObjectMeta): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function hasFinalizer(metadata: ObjectMeta, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}
