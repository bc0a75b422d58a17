import type { ObjectMeta, OwnerReference } from "./generated/meta-v1.ts";
import { apiVersionOf, type Resource } from "./resource.ts";

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

/** A reference that makes an object's owner its controller. */
export interface ControllerReference extends OwnerReference {
  readonly controller: true;
  readonly blockOwnerDeletion: true;
}

/** How an object refers to the owner that controls it. */
// upstream: metav1.NewControllerRef
export function controllerReference(
  resource: Resource,
  { metadata }: { readonly metadata: { readonly name: string; readonly uid: string } },
): ControllerReference {
  const { name, uid } = metadata;
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}
