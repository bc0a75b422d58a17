import { type LabelSelection, matchesLabels } from "./labels/label-selector.ts";
import { isBeingDeleted, type StoredObject } from "./object.ts";
import { controllerOf } from "./owner-references.ts";

/** Whether an object is controlled by an owner, and what the owner has to do about it. */
export type Claim = "ours" | "adopt" | "release" | "not ours";

/** An owner and the objects it selects. */
export interface Claimant {
  readonly owner: StoredObject;
  readonly selection: LabelSelection;
}

/** An owner keeps the objects it controls, adopts the orphans it selects, and releases what it no longer selects. */
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
  // Without a UID the adoption could hit another object of that name.
  const hasUid = (uid ?? "") !== "";
  return (
    hasUid && !isBeingDeleted(owner) && !isBeingDeleted(object) && namespace === owner.metadata.namespace
  );
}
