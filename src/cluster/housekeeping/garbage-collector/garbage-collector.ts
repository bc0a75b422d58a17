import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { type ControllerSpec, done, type KeyQueue, type Watched } from "../../../machinery/controller.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Location, Store, StoreEvent } from "../../store/store.ts";
import { carryOut } from "./carry-out.ts";
import { type Collected, Family } from "./family.ts";
import { judge } from "./verdict.ts";

export interface GarbageCollectorDependencies {
  readonly client: Client;
  readonly store: Store;
  /** Every collection that takes part; events do not. */
  readonly collected: readonly Collected[];
}

/** Deletes what nobody owns any more, and keeps the promises of foreground and orphaning deletion. */
export function garbageCollector({ client, store, collected }: GarbageCollectorDependencies): ControllerSpec {
  const family = new Family(store, collected);
  return {
    name: "garbage-collector",
    workers: 20,
    watches: collected.map(({ collection }) => following(collection, store, family)),

    async reconcile(key, signal) {
      const location = locationOf(key);
      const resource = family.resourceOf(location.collection);
      const record = family.find(location);
      if (resource === undefined || record === undefined) return done;

      const verdict = judge(family.subject(record.object.metadata));
      await carryOut(verdict, { resource, object: record.object, family, client, signal });
      return done;
    },
  };
}

/** Whom an event may concern: the object itself, what it owned when it is gone or going, and who waits for it. */
function following(collection: string, store: Store, family: Family): Watched {
  return {
    synced: () => Promise.resolve(true),
    feed: (queue) => {
      const concern = (event: StoreEvent) => enqueueConcerned(event, collection, { queue, family });
      for (const record of store.collection(collection).records()) concern({ type: "ADDED", record });
      return store.collection(collection).subscribe({ of: "all" }, (events) => events.forEach(concern));
    },
  };
}

function enqueueConcerned(
  { type, record, previous }: StoreEvent,
  collection: string,
  { queue, family }: { readonly queue: KeyQueue; readonly family: Family },
): void {
  const { metadata } = record.object;
  const isGoing = type === "DELETED" || metadata.deletionTimestamp !== undefined;
  const isNews = isGoing || !hasSameOwners(previous?.object.metadata, metadata);
  if (type !== "DELETED" && isNews) queue.add(keyOf({ collection, key: record.key }));
  if (!isGoing) return;
  for (const location of family.dependentsOf(metadata.uid)) queue.add(keyOf(location));
  for (const location of family.ownerLocations(metadata)) queue.add(keyOf(location));
}

/** Whether an object was judged already: what becomes of the owners it has, it hears through their events. */
function hasSameOwners(previous: ObjectMeta | undefined, { ownerReferences = [] }: ObjectMeta): boolean {
  const before = previous?.ownerReferences ?? [];
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
