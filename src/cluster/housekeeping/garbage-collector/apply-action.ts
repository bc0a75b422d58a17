import type { JsonObject } from "../../../api/json.ts";
import { isBeingDeleted, type StoredObject } from "../../../api/object.ts";
import type { Resource } from "../../../api/resource.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { releasePatch } from "../../../machinery/ownership/owner-reference-patch.ts";
import { type GarbageAction, garbageActionFor, orphanFinalizer } from "./garbage-action.ts";
import type { OwnerGraph } from "./owner-graph.ts";

interface ActionContext {
  readonly resource: Resource;
  readonly object: StoredObject;
  readonly ownerGraph: OwnerGraph;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Applies an action. Every write names the UID of its object; after a failure the action is decided anew. */
export async function applyAction(action: GarbageAction, context: ActionContext): Promise<void> {
  const { object } = context;
  switch (action.do) {
    case "nothing":
      return;
    case "delete":
      return deleteItself(action, context);
    case "drop-references":
      return dropReferences(context, object, action.uids);
    case "remove-finalizer":
      return removeFinalizer(context, action.finalizer);
    case "delete-dependents":
      return deleteDependents(context);
    case "orphan-dependents":
      return orphanDependents(context);
  }
}

async function orphanDependents(context: ActionContext): Promise<void> {
  const { ownerGraph, object } = context;
  for (const location of ownerGraph.dependentsOf(object.metadata.uid)) {
    const dependent = ownerGraph.find(location);
    const resource = ownerGraph.resourceOf(location.collection);
    if (dependent === undefined || resource === undefined) continue;
    await dropReferences({ ...context, resource }, dependent.object, [object.metadata.uid]);
  }
  await removeFinalizer(context, orphanFinalizer);
}

async function deleteItself(
  { propagation, unblocksOwners }: Extract<GarbageAction, { readonly do: "delete" }>,
  context: ActionContext,
): Promise<void> {
  const { client, resource, object, signal } = context;
  const { uid, resourceVersion } = object.metadata;
  if (unblocksOwners === true) await patch(context, object, unblockingPatch(object));
  // What was patched has another version; that it is the same object is enough.
  const preconditions = unblocksOwners === true ? { uid } : { uid, resourceVersion };
  const options = { propagationPolicy: propagation, preconditions, signal };
  await unlessGone(client.delete(resource, object.metadata, options));
}

/** Makes every owner reference one that does not block. */
function unblockingPatch({ metadata }: StoredObject): JsonObject {
  const { uid, ownerReferences = [] } = metadata;
  const references = ownerReferences.map((reference) => ({ uid: reference.uid, blockOwnerDeletion: false }));
  return { metadata: { uid, ownerReferences: references } };
}

/** Does to the dependents what their owners, this one among them, make necessary. */
async function deleteDependents(context: ActionContext): Promise<void> {
  const { ownerGraph, object } = context;
  for (const location of ownerGraph.dependentsOf(object.metadata.uid)) {
    const dependent = ownerGraph.find(location)?.object;
    const resource = ownerGraph.resourceOf(location.collection);
    if (dependent === undefined || resource === undefined || isBeingDeleted(dependent)) continue;
    const action = garbageActionFor(ownerGraph.nodeOf(dependent.metadata));
    await applyAction(action, { ...context, resource, object: dependent });
  }
}

function dropReferences(
  { client, resource, signal }: ActionContext,
  object: StoredObject,
  uids: readonly string[],
): Promise<void> {
  return patch({ client, resource, signal }, object, releasePatch(object, uids));
}

function removeFinalizer(
  { client, resource, object, signal }: ActionContext,
  finalizer: string,
): Promise<void> {
  const { uid } = object.metadata;
  const body = { metadata: { uid, "$deleteFromPrimitiveList/finalizers": [finalizer] } };
  return patch({ client, resource, signal }, object, body);
}

function patch(
  { client, resource, signal }: Pick<ActionContext, "client" | "resource" | "signal">,
  { metadata }: StoredObject,
  body: JsonObject,
): Promise<void> {
  return unlessGone(client.patch(resource, metadata, { type: "strategic", body, signal }));
}

/** Ignores that the object is gone. A conflict is thrown: not every conflict comes from a change that is an event. */
async function unlessGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
