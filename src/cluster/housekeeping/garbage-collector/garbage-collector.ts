import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { type ControllerSpec, done, type WatchSource } from "../../../machinery/controller.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Location, Store, StoreEvent } from "../../store/store.ts";
import { applyAction } from "./apply-action.ts";
import { type CollectedResource, OwnerGraph } from "./owner-graph.ts";
import { garbageActionFor } from "./garbage-action.ts";

export interface GarbageCollectorDependencies {
  readonly client: Client;
  readonly store: Store;
  /** Every collection that takes part; events do not. */
  readonly collected: readonly CollectedResource[];
}

/** Deletes what nobody owns any more, and keeps the promises of foreground and orphaning deletion. */
export function garbageCollector({ client, store, collected }: GarbageCollectorDependencies): ControllerSpec {
  const family = new OwnerGraph(store, collected);
  return {
    name: "garbage-collector",
    workers: 20,
    watches: collected.map(({ collection }) => following(collection, store, family)),

    async reconcile(key, signal) {
      const location = locationOf(key);
      const resource = family.resourceOf(location.collection);
      const record = family.find(location);
      if (resource === undefined || record === undefined) return done;

      const verdict = garbageActionFor(family.nodeOf(record.object.metadata));
      await applyAction(verdict, { resource, object: record.object, ownerGraph: family, client, signal });
      return done;
    },
  };
}

function following(collection: string, store: Store, family: OwnerGraph): WatchSource {
  return {
    synced: () => Promise.resolve(true),
    start: (queue) => {
      const concern = (event: StoreEvent) => {
        for (const location of concerned(event, collection, family)) queue.add(keyOf(location));
      };
      for (const record of store.collection(collection).records()) concern({ type: "ADDED", record });
      return store.collection(collection).subscribe({ of: "all" }, (events) => events.forEach(concern));
    },
  };
}

/**
 * Whom an event may concern: the object itself, what it owned when it is gone or going, and who waits for it, or did
 * until it let go.
 */
function concerned(
  { type, record, previous }: StoreEvent,
  collection: string,
  family: OwnerGraph,
): readonly Location[] {
  const { metadata } = record.object;
  const before = previous?.object.metadata ?? {};
  const itself = type === "DELETED" ? [] : [{ collection, key: record.key }];
  const isGoing = type === "DELETED" || metadata.deletionTimestamp !== undefined;
  const moved = hasSameOwners(before, metadata) ? [] : [...itself, ...family.ownerLocations(before)];
  if (!isGoing) return moved;
  return [...itself, ...moved, ...family.dependentsOf(metadata.uid), ...family.ownerLocations(metadata)];
}

/** Whether an object was judged already: what becomes of the owners it has, it hears through their events. */
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
