import type { JsonObject } from "../../../api/json.ts";
import { isBeingDeleted, type StoredObject } from "../../../api/object.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { releasePatch } from "../../../machinery/ownership/claim-objects.ts";
import type { ServedResource } from "../../apiserver/served-resource.ts";
import { type GarbageAction, garbageActionFor, orphanFinalizer } from "./garbage-action.ts";
import type { OwnerGraph } from "./owner-graph.ts";

interface ActionContext {
  readonly resource: ServedResource;
  readonly object: StoredObject;
  readonly ownerGraph: OwnerGraph;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Applies an action. Every write names the UID of its object; after a failure the action is decided anew. */
export async function applyGarbageAction(action: GarbageAction, context: ActionContext): Promise<void> {
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
  if (unblocksOwners === true) await unblockOwners(context);
  // A patched object has a new version; the UID is enough to name it.
  const preconditions = unblocksOwners === true ? { uid } : { uid, resourceVersion };
  const options = { propagationPolicy: propagation, preconditions, signal };
  await unlessGone(client.delete(resource, object.metadata, options));
}

/** Applies to each dependent the action that its owners, this one among them, require. */
async function deleteDependents(context: ActionContext): Promise<void> {
  const { ownerGraph, object } = context;
  for (const location of ownerGraph.dependentsOf(object.metadata.uid)) {
    const dependent = ownerGraph.find(location)?.object;
    const resource = ownerGraph.resourceOf(location.collection);
    if (dependent === undefined || resource === undefined || isBeingDeleted(dependent)) continue;
    const action = garbageActionFor(ownerGraph.nodeOf(dependent.metadata));
    await applyGarbageAction(action, { ...context, resource, object: dependent });
  }
}

function dropReferences(
  context: ActionContext,
  object: StoredObject,
  uids: readonly string[],
): Promise<void> {
  const { ownerReferences = [] } = object.metadata;
  const kept = ownerReferences.filter(({ uid }) => !uids.includes(uid)).map((each) => ({ ...each }));
  return patch(context, object, { strategic: releasePatch(object, uids), whole: { ownerReferences: kept } });
}

/** Sets `blockOwnerDeletion` to false in every owner reference. */
function unblockOwners(context: ActionContext): Promise<void> {
  const { object } = context;
  const { uid, ownerReferences = [] } = object.metadata;
  const unblocked = ownerReferences.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
  const changes = ownerReferences.map((reference) => ({ uid: reference.uid, blockOwnerDeletion: false }));
  const strategic = { metadata: { uid, ownerReferences: changes } };
  return patch(context, object, { strategic, whole: { ownerReferences: unblocked } });
}

function removeFinalizer(context: ActionContext, finalizer: string): Promise<void> {
  const { object } = context;
  const { uid, finalizers = [] } = object.metadata;
  const strategic = { metadata: { uid, "$deleteFromPrimitiveList/finalizers": [finalizer] } };
  const kept = finalizers.filter((each) => each !== finalizer);
  return patch(context, object, { strategic, whole: { finalizers: kept } });
}

/** A change of metadata as a strategic merge patch, and as the whole list that it changes. */
interface MetadataChange {
  readonly strategic: JsonObject;
  readonly whole: JsonObject;
}

/**
 * Patches the metadata; kinds without strategic merge patches get the whole list, with the version it was made from.
 */
function patch(
  { client, resource, signal }: Pick<ActionContext, "client" | "resource" | "signal">,
  { metadata }: StoredObject,
  { strategic, whole }: MetadataChange,
): Promise<void> {
  const { uid, resourceVersion } = metadata;
  const merge = { metadata: { uid, resourceVersion, ...whole } };
  const isStrategic = resource.schema.mergeRule !== undefined;
  const body = isStrategic ? strategic : merge;
  return unlessGone(
    client.patch(resource, metadata, { type: isStrategic ? "strategic" : "merge", body, signal }),
  );
}

/**
 * Ignores an error that says that the object is gone. A conflict is thrown, because not every conflict comes from a
 * change that causes an event.
 */
async function unlessGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
