import { type LabelSelection, matchesLabels } from "./labels/label-selector.ts";
import { isBeingDeleted, type StoredObject } from "./object.ts";
import { controllerOf } from "./owner-references.ts";

/** What an object is to an owner, and what is to be done about it. */
export type Claim = "ours" | "adopt" | "release" | "not ours";

/** Who lays claim to objects. */
export interface Claimant {
  readonly owner: StoredObject;
  readonly selection: LabelSelection;
}

/** Judges an object: an owner keeps its own, takes over orphans it selects and lets go what it no longer selects. */
export function claimOf(object: StoredObject, { owner, selection }: Claimant): Claim {
  const isSelected = matchesLabels(selection, object.metadata.labels);
  const controller = controllerOf(object);
  if (controller === undefined) return isSelected && isAdoptable(object, owner) ? "adopt" : "not ours";
  if (controller.uid !== owner.metadata.uid) return "not ours";
  if (isSelected) return "ours";
  return isBeingDeleted(owner) ? "not ours" : "release";
}

function isAdoptable(object: StoredObject, owner: StoredObject): boolean {
  const { uid, namespace } = object.metadata;
  // Without a UID nobody could say which object of that name the adoption is meant for.
  const isKnown = (uid ?? "") !== "";
  return (
    isKnown && !isBeingDeleted(owner) && !isBeingDeleted(object) && namespace === owner.metadata.namespace
  );
}
