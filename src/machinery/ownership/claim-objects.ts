import { claimOf } from "../../api/claim.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";
import { messageOf } from "../../api/message-of.ts";
import { type StoredObject, isBeingDeleted } from "../../api/object.ts";
import { controllerReference, type ControllerReference } from "../../api/owner-references.ts";
import type { Resource } from "../../api/resource.ts";
import { isInvalid, isNotFound, ifFound } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import type { JsonObject } from "../../api/json.ts";

/** An owner and what it takes to claim objects for it. */
export interface ClaimContext<O extends StoredObject, T extends StoredObject> {
  readonly owner: O;
  readonly ownerResource: Resource<O>;
  /** The resource of the objects. */
  readonly resource: Resource<T>;
  readonly selection: LabelSelection;
  /** What an adopted object gets; absent: none. */
  readonly finalizers?: readonly string[] | undefined;
  readonly client: Client;
  /** Called with every object that was written. */
  readonly wrote: (resource: Resource, object: StoredObject) => void;
  readonly signal: AbortSignal;
}

/**
 * Adopts the orphans an owner selects, releases the objects it no longer selects, and returns those it controls then.
 * Every object is tried; then all failures are thrown as one error.
 */
// upstream: ControllerRefManager.ClaimObject
export async function claimObjects<O extends StoredObject, T extends StoredObject>(
  objects: readonly T[],
  context: ClaimContext<O, T>,
): Promise<readonly T[]> {
  const mayAdopt = once(() => recheckOwner(context));
  const claimed: T[] = [];
  const errors: unknown[] = [];
  for (const object of objects) {
    const claim = claimOf(object, context);
    if (claim === "ours") claimed.push(object);
    if (claim === "ours" || claim === "not ours") continue;
    try {
      const adopted =
        claim === "adopt" ? await adopt(object, context, mayAdopt) : await release(object, context);
      if (adopted !== undefined) claimed.push(adopted);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(messageOf).join("; "));
  return claimed;
}

/** Makes the owner the controller of an orphan; `undefined` when the orphan no longer exists. */
async function adopt<O extends StoredObject, T extends StoredObject>(
  object: T,
  { owner, ownerResource, resource, finalizers, client, wrote, signal }: ClaimContext<O, T>,
  mayAdopt: () => Promise<void>,
): Promise<T | undefined> {
  await mayAdopt();
  const body = adoptionPatch(object, controllerReference(ownerResource, owner), finalizers);
  const adopted = await ifFound(client.patch(resource, object.metadata, { type: "strategic", body, signal }));
  if (adopted !== undefined) wrote(resource, adopted);
  return adopted;
}

async function release<O extends StoredObject, T extends StoredObject>(
  object: T,
  { owner, resource, client, wrote, signal }: ClaimContext<O, T>,
): Promise<undefined> {
  const body = releasePatch(object, [owner.metadata.uid]);
  try {
    // Recorded, because until the informer reads the release, the object still counts as controlled if its labels match again.
    wrote(resource, await client.patch(resource, object.metadata, { type: "strategic", body, signal }));
  } catch (error) {
    // Deleted, or another object has its name by now: there is nothing left to release.
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  }
  return undefined;
}

function once<T>(call: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= call());
}

// Owner references are merged by UID. The object's own UID makes a patch fail on another object of its name.

/** The strategic merge patch that gives an object a controller, and finalizers if there are any. */
function adoptionPatch(
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

interface OwnerCheck<O extends StoredObject> {
  readonly owner: O;
  readonly ownerResource: Resource<O>;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/**
 * Reads an owner from the API server and throws unless it still exists and is not being deleted. The informer may lag
 * behind, and what is adopted or created for an owner that is gone would be garbage collected.
 */
// upstream: controller.RecheckDeletionTimestamp
export async function recheckOwner<O extends StoredObject>(check: OwnerCheck<O>): Promise<void> {
  const { owner, ownerResource, client, signal } = check;
  const live = await client.get(ownerResource, owner.metadata, signal);
  const what = `${ownerResource.kind} ${owner.metadata.namespace ?? ""}/${owner.metadata.name}`;
  if (live.metadata.uid !== owner.metadata.uid) throw new Error(`${what} is gone, another one has its name`);
  if (isBeingDeleted(live)) throw new Error(`${what} is being deleted`);
}
