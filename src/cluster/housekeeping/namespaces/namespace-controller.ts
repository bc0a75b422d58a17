import type { Namespace, NamespaceCondition } from "../../../api/generated/core-v1.ts";
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

/** The finalizer that is taken off when a namespace is empty. */
const ownFinalizer = "kubernetes";
const nextLookMs = 1000;

/** Empties a namespace that is being deleted, Pods first, and lets it go when nothing is left. */
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
      if (namespace?.metadata.deletionTimestamp === undefined) return done;
      if (namespace.spec.finalizers?.includes(ownFinalizer) !== true) return done;

      const left = await empty(name, deps, signal);
      if (left.length === 0) {
        await finalize(namespace, client, signal);
        return done;
      }
      const conditions = deletionConditions(namespace.status?.conditions, left, clock.now());
      if (conditions !== namespace.status?.conditions) await tell(namespace, conditions, { client, signal });
      return { requeueAfterMs: nextLookMs };
    },
  };
}

/** Deletes everything once and says what is still there. Other kinds wait until the last Pod has ended. */
async function empty(
  namespace: string,
  { client, contents }: NamespaceDependencies,
  signal: AbortSignal,
): Promise<readonly RemainingContent[]> {
  const podsLeft = await emptyOf(pods, namespace, { client, signal });
  if (podsLeft.count > 0) return [podsLeft];
  const left: RemainingContent[] = [];
  for (const resource of contents) {
    const remainder = await emptyOf(resource, namespace, { client, signal });
    if (remainder.count > 0) left.push(remainder);
  }
  return left;
}

interface RequestContext {
  readonly client: Client;
  readonly signal: AbortSignal;
}

async function emptyOf(
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
  const finalizers = namespace.spec.finalizers?.filter((finalizer) => finalizer !== ownFinalizer) ?? [];
  const object = { ...namespace, spec: { ...namespace.spec, finalizers } };
  await client.update(namespaceResource, object, { subresource: "finalize", signal });
}

async function tell(
  namespace: Namespace,
  conditions: readonly NamespaceCondition[],
  { client, signal }: RequestContext,
): Promise<void> {
  const object = { ...namespace, status: { ...namespace.status, conditions } };
  try {
    await client.update(namespaceResource, object, { subresource: "status", signal });
  } catch (error) {
    if (!isConflict(error)) throw error; // someone wrote meanwhile: the next look will tell
  }
}
