import type { JsonObject } from "../api/json.ts";
import type { Draft, StoredObject } from "../api/object.ts";
import { qualifiedName, type Resource } from "../api/resource.ts";
import { nodes } from "../api/resources.ts";
import { kindByName, schemaTable } from "../api/schema/table.ts";
import { zoneOf } from "../api/well-known.ts";
import { apiFailure, ifFound } from "../machinery/client/api-error.ts";
import type { ObjectName } from "../machinery/client/client.ts";
import type { ActionEnvironment, ActionOutcome } from "./action-outcome.ts";
import { nodePatch, type NodePatchAction, objectPatch, type ObjectPatchAction } from "./action-patch.ts";
import { evictFromNodes, evictPod } from "./drain-nodes.ts";
import { undoRollout } from "./undo-rollout.ts";
import type { ActionNamed, ActionTarget, NodesTarget, UserAction } from "./user-action.ts";

/**
 * Sends the requests that kubectl would send. A drain tries each eviction once; `finishDrain` goes on with it. Throws what
 * the API server answers when it refuses the action as a whole.
 */
export function performAction(action: UserAction, environment: ActionEnvironment): Promise<ActionOutcome> {
  switch (action.action) {
    case "undo":
      return undoRollout(action, environment);
    case "cordon":
    case "uncordon":
    case "fail":
    case "restore":
      return patchNodes(action, environment);
    case "drain":
      return drain(action, environment);
    case "evict":
      return evictPod(action, environment);
    case "delete":
      return deleteObject(action, environment);
    case "apply":
      return apply(action.manifest, environment);
    case "create":
      return create(action.manifest, environment);
    case "scale":
    case "set-image":
    case "set-template":
    case "restart":
    case "pause":
    case "resume":
    case "label":
    case "annotate":
    case "patch":
      return patchObject(action, environment);
  }
}

async function patchObject(
  action: ObjectPatchAction,
  { client, clock, signal }: ActionEnvironment,
): Promise<ActionOutcome> {
  const { resource, at } = placeOf(action);
  const { patch, done } = objectPatch(action, clock.now());
  await client.patch(resource, at, { ...patch, signal });
  return changed(resource, action.name, done);
}

async function patchNodes(action: NodePatchAction, environment: ActionEnvironment): Promise<ActionOutcome> {
  const { client, signal } = environment;
  const { patch, done } = nodePatch(action);
  const names = await nodeNamesOf(action, environment);
  for (const name of names) await client.patch(nodes, { name }, { ...patch, signal });
  return { done: names.map((name) => `node/${name} ${done}`), refused: [] };
}

/** Cordons first, so that no Pod comes back to a node that is drained. */
async function drain(action: ActionNamed<"drain">, environment: ActionEnvironment): Promise<ActionOutcome> {
  const cordoned = await patchNodes(action, environment);
  const evicted = await evictFromNodes(await nodeNamesOf(action, environment), environment);
  return { done: [...cordoned.done, ...evicted.done], refused: evicted.refused };
}

/** The names of the nodes that an action concerns. */
export async function nodeNamesOf(
  target: NodesTarget,
  { client, signal }: ActionEnvironment,
): Promise<readonly string[]> {
  if ("node" in target) return [target.node];
  // Not by a selector: older clusters have another label for zones.
  const { items } = await client.list(nodes, {}, signal);
  const found = items.filter(({ metadata }) => zoneOf(metadata) === target.zone);
  if (found.length === 0) throw apiFailure(404, "NotFound", `zone "${target.zone}" has no nodes`);
  return found.map(({ metadata }) => metadata.name);
}

async function deleteObject(
  action: ActionNamed<"delete">,
  { client, signal }: ActionEnvironment,
): Promise<ActionOutcome> {
  const { propagationPolicy = "Background", gracePeriodSeconds } = action;
  const { resource, at } = placeOf(action);
  await client.delete(resource, at, { propagationPolicy, gracePeriodSeconds, signal });
  return changed(resource, action.name, "deleted");
}

async function apply(manifest: JsonObject, environment: ActionEnvironment): Promise<ActionOutcome> {
  const { client, signal } = environment;
  const { resource, name, namespace } = placeOfManifest(manifest);
  const found =
    name === undefined ? undefined : await ifFound(client.get(resource, { namespace, name }, signal));
  if (found === undefined || name === undefined) return create(manifest, environment);
  await client.patch(resource, { namespace, name }, { type: "strategic", body: manifest, signal });
  return changed(resource, name, "configured");
}

async function create(manifest: JsonObject, { client, signal }: ActionEnvironment): Promise<ActionOutcome> {
  const { resource } = placeOfManifest(manifest);
  // The API server decodes and validates it.
  const created = await client.create(resource, manifest as unknown as Draft<StoredObject>, { signal });
  return changed(resource, created.metadata.name, "created");
}

function placeOfManifest(manifest: JsonObject) {
  const { apiVersion, kind, metadata } = manifest as {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: { readonly namespace?: string; readonly name?: string };
  };
  return { resource: resourceOf({ apiVersion, kind }), ...metadata };
}

function placeOf(target: ActionTarget): { readonly resource: Resource; readonly at: ObjectName } {
  const resource = resourceOf(target);
  const { namespace = "default", name } = target;
  return { resource, at: resource.namespaced ? { namespace, name } : { name } };
}

interface KindReference {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}

function resourceOf({ apiVersion, kind = "" }: KindReference): Resource {
  const found =
    apiVersion === undefined
      ? schemaTable().kinds.find((each) => each.kind === kind)
      : kindByName(apiVersion, kind);
  if (found === undefined) throw apiFailure(404, "NotFound", `there is no kind "${kind}"`);
  const { group, version, plural, namespaced } = found;
  return { group, version, kind, plural, namespaced };
}

const changed = (resource: Resource, name: string, how: string): ActionOutcome => ({
  done: [`${singular(resource)}/${name} ${how}`],
  refused: [],
});

/** `deployment.apps`, as kubectl prints it. */
const singular = (resource: Resource) => qualifiedName({ ...resource, plural: resource.kind.toLowerCase() });
