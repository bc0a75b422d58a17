import type { ControllerRevision } from "../../api/generated/apps-v1.ts";
import type { Draft, StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import { controllerRevisions } from "../../api/resources.ts";
import { isAlreadyExists, isNotFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import { recheckOwner } from "../../machinery/ownership/claim-objects.ts";

interface RevisionWriter {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** A workload that has revisions. */
interface RevisionOwner<O extends StoredObject> {
  readonly owner: O;
  readonly ownerResource: Resource<O>;
}

/** What creating a revision came to. */
export type CreatedRevision =
  | { readonly kind: "created"; readonly revision: ControllerRevision }
  /** Another revision, which may have the same data, has the name. */
  | { readonly kind: "exists"; readonly revision: ControllerRevision };

/**
 * Creates a revision; if its name is taken, resolves to the revision that has it. Throws if its owner is gone: the garbage
 * collector would delete it and the Pods at once, and each deletion would lead to another creation.
 */
export async function createRevision<O extends StoredObject>(
  draft: Draft<ControllerRevision>,
  owned: RevisionOwner<O>,
  { client, signal }: RevisionWriter,
): Promise<CreatedRevision> {
  await recheckOwner({ ...owned, client, signal });
  try {
    return { kind: "created", revision: await client.create(controllerRevisions, draft, { signal }) };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { namespace, name = "" } = draft.metadata;
    const revision = await client.get(controllerRevisions, { namespace, name }, signal);
    return { kind: "exists", revision };
  }
}

/** Gives a revision another number, which is how a rollback makes an old one the newest. */
export function renumberRevision(
  { metadata }: ControllerRevision,
  revision: number,
  { client, signal }: RevisionWriter,
): Promise<ControllerRevision> {
  // The UID makes the patch fail on another revision of that name.
  const body = { metadata: { uid: metadata.uid }, revision };
  return client.patch(controllerRevisions, metadata, { type: "merge", body, signal });
}

/** Deletes a revision, unless it is gone already. */
export async function deleteRevision(
  { metadata }: ControllerRevision,
  { client, signal }: RevisionWriter,
): Promise<void> {
  const preconditions = { uid: metadata.uid };
  try {
    await client.delete(controllerRevisions, metadata, { preconditions, reads: "nothing", signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
