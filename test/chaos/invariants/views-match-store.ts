import type { StoredObject } from "../../../src/api/object.ts";
import { qualifiedName } from "../../../src/api/resource.ts";
import { isVirtualLease } from "../../../src/cluster/kubelet/nodes/node-leases.ts";
import type { StoreEvent } from "../../../src/cluster/store/store.ts";
import type { Informer } from "../../../src/machinery/informer/informer.ts";
import type { Process } from "../../../src/simulation/observation.ts";
import type { Invariant } from "./invariant.ts";

/** All that was ever committed to a collection, oldest first, and what is there now. */
interface CollectionHistory {
  readonly events: StoreEvent[];
  /** The versions of what is there, by key. */
  readonly present: Map<string, string>;
}

/**
 * A view may be old, but it is never wrong: it shows the store as it was at the version it says it has come to. At
 * rest it is not old either.
 */
export const viewsMatchStore: Invariant = {
  name: "views-match-store",
  description: "every watcher's view equals the store, as of the version it has reached",
  begin: ({ processes }) => {
    const histories = new Map<string, CollectionHistory>();
    return {
      commit({ collection, event }) {
        take(event, historyOf(histories, collection));
        return undefined;
      },
      idle: () =>
        first(processes(), (informer) =>
          checkView(informer, historyOf(histories, qualifiedName(informer.resource))),
        ),
      stable: () => first(processes(), (informer) => checkProgress(informer, histories)),
    };
  },
};

type AnyInformer = Informer<StoredObject>;

function first(
  processes: readonly Process[],
  check: (informer: AnyInformer) => string | undefined,
): string | undefined {
  for (const { component, incarnation, informers } of processes) {
    for (const informer of informers?.all() ?? []) {
      const problem = check(informer);
      if (problem !== undefined) return `${component} (process ${incarnation}) sees ${problem}`;
    }
  }
  return undefined;
}

function historyOf(histories: Map<string, CollectionHistory>, collection: string): CollectionHistory {
  const known = histories.get(collection) ?? { events: [], present: new Map() };
  histories.set(collection, known);
  return known;
}

function take(event: StoreEvent, { events, present }: CollectionHistory): void {
  events.push(event);
  const { key, object } = event.record;
  if (event.type === "DELETED") present.delete(key);
  else present.set(key, object.metadata.resourceVersion);
}

function checkView(informer: AnyInformer, history: CollectionHistory): string | undefined {
  if (informer.resourceVersion === "") return undefined;
  const expected = versionsAt(Number(informer.resourceVersion), history);
  const where = `${qualifiedName(informer.resource)} at ${informer.resourceVersion}`;
  let seen = 0;
  for (const object of informer.list()) {
    if (isVirtualLease(object)) continue;
    seen++;
    const { metadata } = object;
    const key = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
    const version = expected.get(key);
    if (version !== metadata.resourceVersion)
      return `${where} with ${key} at ${metadata.resourceVersion}, where the store had ${version ?? "nothing"}`;
  }
  return seen === expected.size
    ? undefined
    : `${where} with ${seen} objects, where the store had ${expected.size}`;
}

/** Undoes, newest first, what came after a revision. */
function versionsAt(revision: number, { events, present }: CollectionHistory): ReadonlyMap<string, string> {
  let last = events.length;
  while (last > 0 && (events[last - 1]?.record.revision ?? 0) > revision) last--;
  if (last === events.length) return present;
  const versions = new Map(present);
  for (const { record, previous } of events.slice(last).toReversed()) {
    if (previous === undefined) versions.delete(record.key);
    else versions.set(record.key, previous.object.metadata.resourceVersion);
  }
  return versions;
}

function checkProgress(informer: AnyInformer, histories: Map<string, CollectionHistory>): string | undefined {
  const collection = qualifiedName(informer.resource);
  const newest = historyOf(histories, collection).events.at(-1)?.record.revision ?? 0;
  return Number(informer.resourceVersion) >= newest
    ? undefined
    : `${collection} at ${informer.resourceVersion} although the store has come to ${newest}`;
}
