import type { Namespace, NamespaceCondition } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import type { Resource } from "../../../api/resource.ts";
import { namespaces as namespaceResource, pods } from "../../../api/resources.ts";
import { isConflict, isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { type ControllerSpec, done, watching } from "../../../machinery/controller.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { deletionConditions, type RemainingContent } from "./deletion-conditions.ts";

export interface NamespaceDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly namespaces: Informer<Namespace>;
  /** The namespaced resources whose objects are deleted with their namespace. */
  readonly contents: () => readonly Resource[];
}

/** The finalizer that is removed when a namespace is empty. */
const kubernetesFinalizer = "kubernetes";
const recheckAfterMs = 1000;

/** Deletes the contents of a namespace that is being deleted, Pods first, and removes its finalizer when it is empty. */
export function namespaceController(deps: NamespaceDependencies): ControllerSpec {
  const { client, clock, namespaces } = deps;
  return {
    name: "namespace",
    workers: 2,
    watches: [
      watching(namespaces, (queue) => ({
        added: ({ metadata }) => queue.add(metadata.name),
        updated: (_old, { metadata }) => queue.add(metadata.name),
      })),
    ],
    ignores: isNotFound,

    async reconcile(name, signal) {
      const namespace = namespaces.get(name);
      if (namespace === undefined || !isOursToEmpty(namespace)) return done;

      const remaining = await deleteContents(name, deps, signal);
      const conditions = deletionConditions(namespace.status?.conditions, remaining, clock.now());
      const isReported = conditions === namespace.status?.conditions || !staysFor(namespace, remaining);
      const current = isReported
        ? namespace
        : await writeConditions(namespace, conditions, { client, signal });
      if (remaining.length > 0 || current === undefined) return { requeueAfterMs: recheckAfterMs };
      await finalize(current, client, signal);
      return done;
    },
  };
}

function isOursToEmpty(namespace: Namespace): boolean {
  return isBeingDeleted(namespace) && (namespace.spec.finalizers ?? []).includes(kubernetesFinalizer);
}

/** Reports whether a namespace still exists after this reconcile, because of its contents or of other finalizers. */
function staysFor({ metadata, spec }: Namespace, remaining: readonly RemainingContent[]): boolean {
  return remaining.length > 0 || (metadata.finalizers ?? []).length > 0 || (spec.finalizers ?? []).length > 1;
}

/** Deletes all contents once and returns what remains. Other kinds are deleted when the last Pod is gone. */
async function deleteContents(
  namespace: string,
  { client, contents }: NamespaceDependencies,
  signal: AbortSignal,
): Promise<readonly RemainingContent[]> {
  const remainingPods = await deleteAllOf(pods, namespace, { client, signal });
  if (remainingPods.count > 0) return [remainingPods];
  const remaining: RemainingContent[] = [];
  for (const resource of contents()) {
    const content = await deleteAllOf(resource, namespace, { client, signal });
    if (content.count > 0) remaining.push(content);
  }
  return remaining;
}

interface RequestContext {
  readonly client: Client;
  readonly signal: AbortSignal;
}

async function deleteAllOf(
  resource: Resource,
  namespace: string,
  { client, signal }: RequestContext,
): Promise<RemainingContent> {
  try {
    await client.deleteCollection(resource, { namespace }, { propagationPolicy: "Background", signal });
    const { items } = await client.list(resource, { namespace }, signal);
    const finalizers = items.flatMap(({ metadata }) => metadata.finalizers ?? []);
    return { resource, count: items.length, finalizers };
  } catch (error) {
    // The kind was removed from the server meanwhile.
    if (isNotFound(error)) return { resource, count: 0, finalizers: [] };
    throw error;
  }
}

async function finalize(namespace: Namespace, client: Client, signal: AbortSignal): Promise<void> {
  const finalizers =
    namespace.spec.finalizers?.filter((finalizer) => finalizer !== kubernetesFinalizer) ?? [];
  const object = { ...namespace, spec: { ...namespace.spec, finalizers } };
  await client.update(namespaceResource, object, { subresource: "finalize", signal });
}

/** Returns the namespace with its conditions; `undefined` when it has changed meanwhile: the next reconcile writes them. */
async function writeConditions(
  namespace: Namespace,
  conditions: readonly NamespaceCondition[],
  { client, signal }: RequestContext,
): Promise<Namespace | undefined> {
  const object = { ...namespace, status: { ...namespace.status, conditions } };
  try {
    return await client.update(namespaceResource, object, { subresource: "status", signal });
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
}
