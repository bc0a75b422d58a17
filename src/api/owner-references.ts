import type { ObjectMeta, OwnerReference } from "./generated/meta-v1.ts";

interface Owned {
  readonly metadata: Pick<ObjectMeta, "ownerReferences">;
}

/** The controller of an object: its first owner reference with `controller: true`. */
export function controllerOf(object: Owned): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** Whether the object's controller is the one with this UID. */
export function isControlledBy(object: Owned, uid: string): boolean {
  return controllerOf(object)?.uid === uid;
}
