import { claimOf } from "../../api/claim.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";
import { messageOf } from "../../api/message-of.ts";
import type { StoredObject } from "../../api/object.ts";
import { controllerReference } from "../../api/owner-references.ts";
import type { Resource } from "../../api/resource.ts";
import { isInvalid, isNotFound } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import { adoptionPatch, releasePatch } from "./owner-reference-patch.ts";
import { recheckOwner } from "./recheck-owner.ts";
import { ifFound } from "../client/if-found.ts";

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
