import type { JsonObject } from "../../api/json.ts";
import type { StoredObject } from "../../api/object.ts";
import type { ControllerReference } from "../../api/owner-references.ts";

// Owner references are merged by UID. The object's own UID makes a patch fail on another object of its name.

/** The strategic merge patch that gives an object a controller, and finalizers if there are any. */
export function adoptionPatch(
  { metadata }: StoredObject,
  controller: ControllerReference,
  finalizers: readonly string[] = [],
): JsonObject {
  return {
    metadata: {
      uid: metadata.uid,
      ownerReferences: [{ ...controller }],
      ...(finalizers.length > 0 && { finalizers }),
    },
  };
}

/** The strategic merge patch that removes an object's references to the owners with these UIDs. */
export function releasePatch({ metadata }: StoredObject, ownerUids: readonly string[]): JsonObject {
  const ownerReferences = ownerUids.map((uid) => ({ $patch: "delete", uid }));
  return { metadata: { uid: metadata.uid, ownerReferences } };
}
