import type { LabelSelection } from "../../api/labels/label-selector.ts";
import type { JsonObject } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";
import type { StoredObject } from "../../api/object.ts";
import { apiVersionOf, type Resource } from "../../api/resource.ts";
import { claimOf } from "../../api/claim.ts";
import { isInvalid, isNotFound } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import { recheckOwner } from "./recheck-owner.ts";

/** An owner laying claim to objects. */
export interface ClaimContext<O extends StoredObject, T extends StoredObject> {
  readonly owner: O;
  readonly ownerResource: Resource<O>;
  readonly resource: Resource<T>;
  readonly selection: LabelSelection;
  readonly client: Client;
  /** Hears of every object that was written. */
  readonly wrote: (resource: Resource, object: StoredObject) => void;
  readonly signal: AbortSignal;
}

/**
 * The objects that are an owner's, once orphans it selects have been adopted and those it no longer selects let go.
 * Every object is tried; then whatever failed is thrown as one.
 */
export async function claimObjects<O extends StoredObject, T extends StoredObject>(
  objects: readonly T[],
  errand: ClaimContext<O, T>,
): Promise<readonly T[]> {
  const mayAdopt = once(() => recheckOwner(errand));
  const claimed: T[] = [];
  const errors: unknown[] = [];
  for (const object of objects) {
    const claim = claimOf(object, errand);
    if (claim === "ours") claimed.push(object);
    if (claim === "ours" || claim === "not ours") continue;
    try {
      const adopted =
        claim === "adopt" ? await adopt(object, errand, mayAdopt) : await release(object, errand);
      if (adopted !== undefined) claimed.push(adopted);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(messageOf).join("; "));
  return claimed;
}

/** Takes over an orphan; `undefined` when it is gone. */
async function adopt<O extends StoredObject, T extends StoredObject>(
  object: T,
  errand: ClaimContext<O, T>,
  mayAdopt: () => Promise<void>,
): Promise<T | undefined> {
  await mayAdopt();
  const { owner, ownerResource, resource, client, wrote, signal } = errand;
  const { name, uid } = owner.metadata;
  const reference = { apiVersion: apiVersionOf(ownerResource), kind: ownerResource.kind, name, uid };
  const body = ownershipPatch(object, { ...reference, controller: true, blockOwnerDeletion: true });
  try {
    const adopted = await client.patch(resource, object.metadata, { type: "strategic", body, signal });
    wrote(resource, adopted);
    return adopted;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function release<O extends StoredObject, T extends StoredObject>(
  object: T,
  { owner, resource, client, wrote, signal }: ClaimContext<O, T>,
): Promise<undefined> {
  const body = ownershipPatch(object, { $patch: "delete", uid: owner.metadata.uid });
  try {
    // Until that is seen, it would be counted as ours should it match again.
    wrote(resource, await client.patch(resource, object.metadata, { type: "strategic", body, signal }));
  } catch (error) {
    // Gone, or another object of that name: either way there is nothing left to let go.
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  }
  return undefined;
}

/** Owner references are merged by UID; the object's own UID makes sure that no namesake is meant. */
function ownershipPatch({ metadata }: StoredObject, reference: JsonObject): JsonObject {
  return { metadata: { uid: metadata.uid, ownerReferences: [reference] } };
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}
