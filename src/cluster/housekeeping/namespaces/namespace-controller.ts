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
  /** Every namespaced resource whose objects go with their namespace. */
  readonly contents: readonly Resource[];
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
      if (namespace === undefined || !isBeingDeleted(namespace)) return done;
      if (namespace.spec.finalizers?.includes(kubernetesFinalizer) !== true) return done;

      const remaining = await deleteContents(name, deps, signal);
      if (remaining.length === 0) {
        await finalize(namespace, client, signal);
        return done;
      }
      const conditions = deletionConditions(namespace.status?.conditions, remaining, clock.now());
      if (conditions !== namespace.status?.conditions)
        await writeConditions(namespace, conditions, { client, signal });
      return { requeueAfterMs: recheckAfterMs };
    },
  };
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
  for (const resource of contents) {
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
  await client.deleteCollection(resource, { namespace }, { propagationPolicy: "Background", signal });
  const { items } = await client.list(resource, { namespace }, signal);
  return {
    resource,
    count: items.length,
    finalizers: items.flatMap(({ metadata }) => metadata.finalizers ?? []),
  };
}

async function finalize(namespace: Namespace, client: Client, signal: AbortSignal): Promise<void> {
  const finalizers =
    namespace.spec.finalizers?.filter((finalizer) => finalizer !== kubernetesFinalizer) ?? [];
  const object = { ...namespace, spec: { ...namespace.spec, finalizers } };
  await client.update(namespaceResource, object, { subresource: "finalize", signal });
}

async function writeConditions(
  namespace: Namespace,
  conditions: readonly NamespaceCondition[],
  { client, signal }: RequestContext,
): Promise<void> {
  const object = { ...namespace, status: { ...namespace.status, conditions } };
  try {
    await client.update(namespaceResource, object, { subresource: "status", signal });
  } catch (error) {
    if (!isConflict(error)) throw error; // the next reconcile writes them
  }
}
