import { deepEqual } from "../../../api/deep-equal.ts";
import type { Pod, ResourceQuota } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { resourceQuotas } from "../../../api/resources.ts";
import type { Instant } from "../../../api/time.ts";
import { isConflict, isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { type ControllerSpec, done, type KeyQueue, type WatchSource } from "../../../machinery/controller.ts";
import { amountTexts } from "../../quota/amounts.ts";
import { collectionsCountedBy, limitTexts, namespaceUsage } from "../../quota/namespace-usage.ts";
import { isCharged } from "../../quota/usage.ts";
import type { KindRegistry } from "../../apiserver/kind-registry.ts";
import { namespacedContents, watchCollections } from "../served-collections.ts";
import type { Store, StoreEvent, StoreRecord } from "../../store/store.ts";

export interface ResourceQuotaDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly store: Store;
  readonly kinds: KindRegistry;
}

const quotas = "resourcequotas";
/** How often every quota is counted again, since Pods that should have ended long ago are no longer charged. */
const recountMs = 300_000;
/** Delays larger counts, so that one count serves the many objects that mostly go together. */
const batchMs = 100;
const largeCount = 100;

/**
 * Keeps the status of ResourceQuotas: counts the usage that admission charged again when objects are deleted, end, or
 * need less, and when the limits change.
 */
export function resourceQuotaController(deps: ResourceQuotaDependencies): ControllerSpec {
  const { client, clock, store, kinds } = deps;
  return {
    name: "resource-quota",
    workers: 1,
    watches: [
      watchQuotas(store),
      watchCollections({ kinds, of: namespacedContents, watch: (collection) => watchUse(collection, deps) }),
    ],
    ignores: isNotFound,

    async reconcile(key, signal) {
      const quota = store.collection(quotas).get(key)?.object as ResourceQuota | undefined;
      if (quota === undefined || isBeingDeleted(quota)) return done;
      const used = amountTexts(namespaceUsage(store, quota, clock.now()));
      const status = { hard: limitTexts(quota), used };
      if (!deepEqual(status, quota.status)) {
        try {
          // The count and the write are in one turn, so that nothing is charged in between.
          await client.update(resourceQuotas, { ...quota, status }, { subresource: "status", signal });
        } catch (error) {
          if (!isConflict(error)) throw error;
          return { requeueAfterMs: 1 };
        }
      }
      return { requeueAfterMs: recountMs };
    },
  };
}

/** Enqueues new quotas, and those whose limits or scopes change. */
function watchQuotas(store: Store): WatchSource {
  return {
    synced: () => Promise.resolve(true),
    start(queue) {
      const collection = store.collection(quotas);
      for (const { key } of collection.records()) queue.add(key);
      return collection.subscribe({ of: "all" }, (events) => {
        for (const { type, record, previous } of events)
          if (type === "ADDED" || (type === "MODIFIED" && isChanged(record.object, previous.object)))
            queue.add(record.key);
      });
    },
  };
}

/**
 * Reports whether the spec, or a status that does not follow from it, has changed. Other status changes come with every
 * charged object.
 */
function isChanged(next: object, previous: object): boolean {
  const [quota, before] = [next as ResourceQuota, previous as ResourceQuota];
  return !deepEqual(quota.spec, before.spec) || !deepEqual(quota.status?.hard ?? {}, limitTexts(quota));
}

/** Enqueues the quotas of a namespace when objects of a collection release usage. */
function watchUse(collection: string, { store, clock }: ResourceQuotaDependencies): WatchSource {
  const mayFree = freeingChanges.get(collection) ?? ((): boolean => false);
  return {
    synced: () => Promise.resolve(true),
    start: (queue) =>
      store.collection(collection).subscribe({ of: "all" }, (events) => {
        const namespaces = new Set<string>();
        for (const event of events)
          if (event.type === "DELETED" || (event.type === "MODIFIED" && mayFree(event, clock.now())))
            namespaces.add(event.record.object.metadata.namespace ?? "");
        for (const namespace of namespaces) enqueueQuotas(store, { namespace, collection }, queue);
      }),
  };
}

type Modification = Extract<StoreEvent, { readonly type: "MODIFIED" | "DELETED" }>;

/**
 * Reports, by collection, whether an update may lower the usage of an object; other objects use the same as long as
 * they exist.
 */
const freeingChanges = new Map<string, (event: Modification, now: Instant) => boolean>([
  ["pods", ({ record, previous }, now) => isPodFreed(asPod(record), asPod(previous), now)],
  ["services", isSpecChanged],
  ["persistentvolumeclaims", isSpecChanged],
]);

// A collection holds only objects of its resource.
const asPod = ({ object }: StoreRecord) => object as unknown as Pod;

function isPodFreed(next: Pod, previous: Pod, now: Instant): boolean {
  if (isCharged(previous, now) !== isCharged(next, now)) return true;
  const [before, after] = [previous.spec, next.spec];
  return (
    before.activeDeadlineSeconds !== after.activeDeadlineSeconds || before.containers !== after.containers
  );
}

function isSpecChanged({ record, previous }: Modification): boolean {
  return !deepEqual(record.object["spec"], previous.object["spec"]);
}

function enqueueQuotas(
  store: Store,
  { namespace, collection }: { readonly namespace: string; readonly collection: string },
  queue: KeyQueue,
): void {
  for (const { key, object } of store.collection(quotas).records({ namespace })) {
    const quota = object as unknown as ResourceQuota;
    if (!collectionsCountedBy(quota).has(collection)) continue;
    if (store.collection(collection).count({ namespace }) < largeCount) queue.add(key);
    else queue.addAfter(key, batchMs);
  }
}
