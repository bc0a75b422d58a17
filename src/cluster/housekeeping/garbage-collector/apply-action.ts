import type { JsonObject } from "../../../api/json.ts";
import type { StoredObject } from "../../../api/object.ts";
import type { Resource } from "../../../api/resource.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { OwnerGraph } from "./owner-graph.ts";
import { orphanFinalizer, type GarbageAction } from "./garbage-action.ts";

interface ActionContext {
  readonly resource: Resource;
  readonly object: StoredObject;
  readonly ownerGraph: OwnerGraph;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Does what a verdict says. Every write names the UID it means; what fails is judged again, as it then is. */
export async function applyAction(verdict: GarbageAction, errand: ActionContext): Promise<void> {
  const { client, resource, object, signal } = errand;
  switch (verdict.do) {
    case "nothing":
      return;
    case "delete": {
      const { uid, resourceVersion } = object.metadata;
      const options = {
        propagationPolicy: verdict.propagation,
        preconditions: { uid, resourceVersion },
        signal,
      };
      return forgiving(client.delete(resource, object.metadata, options));
    }
    case "drop-references":
      return dropReferences(errand, object, verdict.uids);
    case "remove-finalizer":
      return removeFinalizer(errand, verdict.finalizer);
    case "delete-dependents":
      return deleteDependents(errand);
    case "orphan-dependents":
      return orphanDependents(errand);
  }
}

async function orphanDependents(errand: ActionContext): Promise<void> {
  const { ownerGraph, object } = errand;
  for (const location of ownerGraph.dependentsOf(object.metadata.uid)) {
    const dependent = ownerGraph.find(location);
    const resource = ownerGraph.resourceOf(location.collection);
    if (dependent === undefined || resource === undefined) continue;
    await dropReferences({ ...errand, resource }, dependent.object, [object.metadata.uid]);
  }
  await removeFinalizer(errand, orphanFinalizer);
}

async function deleteDependents({ ownerGraph, object, client, signal }: ActionContext): Promise<void> {
  for (const location of ownerGraph.dependentsOf(object.metadata.uid)) {
    const dependent = ownerGraph.find(location)?.object;
    const resource = ownerGraph.resourceOf(location.collection);
    if (
      dependent === undefined ||
      resource === undefined ||
      dependent.metadata.deletionTimestamp !== undefined
    )
      continue;
    const { uid } = dependent.metadata;
    const propagationPolicy = ownerGraph.dependentsOf(uid).length > 0 ? "Foreground" : "Background";
    const owners = ownerGraph.nodeOf(dependent.metadata).owners;
    // Someone else still owns it: it is judged, and keeps living, by its own event.
    if (owners.some((owner) => owner.state === "alive")) continue;
    await forgiving(
      client.delete(resource, dependent.metadata, { propagationPolicy, preconditions: { uid }, signal }),
    );
  }
}

function dropReferences(
  { client, resource, signal }: ActionContext,
  object: StoredObject,
  uids: readonly string[],
): Promise<void> {
  const { uid } = object.metadata;
  const ownerReferences = uids.map((owner) => ({ $patch: "delete", uid: owner }));
  return patch({ client, resource, signal }, object, { metadata: { uid, ownerReferences } });
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
  return forgiving(client.patch(resource, metadata, { type: "strategic", body, signal }));
}

/** What is gone needs nothing more. A conflict is thrown: not every one comes from a change that is an event. */
async function forgiving(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
