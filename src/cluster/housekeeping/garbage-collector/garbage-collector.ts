import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { runNowOrInSteps } from "../../../machinery/clock/run-in-steps.ts";
import { type ControllerSpec, done, type WatchSource } from "../../../machinery/controller.ts";
import type { KindRegistry } from "../../apiserver/kind-registry.ts";
import { garbageCollected, watchCollections } from "../served-collections.ts";
import type { Collection, Location, Store, StoreEvent } from "../../store/store.ts";
import { applyGarbageAction } from "./apply-action.ts";
import { garbageActionFor } from "./garbage-action.ts";
import { OwnerGraph } from "./owner-graph.ts";

export interface GarbageCollectorDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly store: Store;
  readonly kinds: KindRegistry;
}

/** Deletes objects whose owners are all gone, and completes foreground and orphaning deletions. */
export function garbageCollector(deps: GarbageCollectorDependencies): ControllerSpec {
  const { client, store, kinds } = deps;
  const ownerGraph = new OwnerGraph(store, kinds);
  return {
    name: "garbage-collector",
    workers: 20,
    watches: [
      watchCollections({
        kinds,
        of: garbageCollected,
        watch: (collection) => watchCollection(collection, deps, ownerGraph),
      }),
    ],

    async reconcile(key, signal) {
      const location = locationOf(key);
      const resource = ownerGraph.resourceOf(location.collection);
      const record = ownerGraph.find(location);
      if (resource === undefined || record === undefined) return done;

      const { object } = record;
      const action = garbageActionFor(ownerGraph.nodeOf(object.metadata));
      await applyGarbageAction(action, { resource, object, ownerGraph, client, signal });
      return done;
    },
  };
}

function watchCollection(
  collection: string,
  { store, clock }: GarbageCollectorDependencies,
  ownerGraph: OwnerGraph,
): WatchSource {
  let known: Promise<void> | undefined;
  return {
    synced: async () => {
      await known;
      return true;
    },
    start: (queue) => {
      const enqueue = (event: StoreEvent) => {
        for (const location of affectedBy(event, collection, ownerGraph)) queue.add(keyOf(location));
      };
      known = runNowOrInSteps(enqueueKnown(store.collection(collection), enqueue), clock);
      return store.collection(collection).subscribe({ of: "all" }, (events) => events.forEach(enqueue));
    },
  };
}

/** Enqueues the objects that are stored already, with pauses, since there may be tens of thousands. */
function* enqueueKnown(
  collection: Collection,
  enqueue: (event: StoreEvent) => void,
): Generator<void, void, void> {
  for (const record of collection.snapshot().records()) {
    enqueue({ type: "ADDED", record });
    yield;
  }
}

/**
 * Returns the objects an event may affect: the object itself, its dependents when it is gone or being deleted, and its
 * present and former owners, which may wait for it.
 */
function affectedBy(
  { type, record, previous }: StoreEvent,
  collection: string,
  ownerGraph: OwnerGraph,
): readonly Location[] {
  const { metadata } = record.object;
  const before = previous?.object.metadata ?? {};
  const itself = type === "DELETED" ? [] : [{ collection, key: record.key }];
  const moved = hasSameOwners(before, metadata) ? [] : [...itself, ...ownerGraph.ownerLocations(before)];
  if (type !== "DELETED" && !isBeingDeleted(record.object)) return moved;
  return [
    ...itself,
    ...moved,
    ...ownerGraph.dependentsOf(metadata.uid),
    ...ownerGraph.ownerLocations(metadata),
  ];
}

/**
 * Reports whether the owner references are those the object was last checked with; events of the owners enqueue it too.
 */
function hasSameOwners({ ownerReferences: before = [] }: ObjectMeta, { ownerReferences = [] }: ObjectMeta) {
  return (
    before.length === ownerReferences.length &&
    before.every(({ uid }, index) => uid === ownerReferences[index]?.uid)
  );
}

// Neither part of a location contains a space.
function keyOf({ collection, key }: Location): string {
  return `${collection} ${key}`;
}

function locationOf(text: string): Location {
  const [collection = "", key = ""] = text.split(" ", 2);
  return { collection, key };
}
