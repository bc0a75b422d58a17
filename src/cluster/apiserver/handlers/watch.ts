import type { ApiError } from "../../../machinery/client/api-error.ts";
import { networkClock } from "../../../machinery/clock/clock.ts";
import { randomInt } from "../../../machinery/random/random.ts";
import type { Collection, StoreEvent, StoreRecord } from "../../store/store.ts";
import { isServed } from "../kind-registry.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { checkWatchOptions, revisionOf } from "../request/list-options.ts";
import { recordsInScope, type Selection, requestSelection } from "../request/selection.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { noSuchPath, resourceExpired } from "../status-errors.ts";
import type { ServedResource } from "../served-resource.ts";
import { readAhead } from "../storage/convert-ahead.ts";
import { toServed } from "../storage/served-object.ts";
import { waitForRevision } from "../storage/wait-for-revision.ts";
import { recordsOf, type ServedWatchEvent, toWatchEvent } from "../watch/served-watch-event.ts";
import { WatchStream } from "../watch/watch-stream.ts";

const minLifetimeMs = 1_800_000;
/**
 * Limits the lifetime of a watch: clients watch again when it ends, and a watch without an end would outlive a lost
 * client.
 */
const maxLifetimeMs = 2 * minLifetimeMs;

/** Handles a watch: the events of a selection, from a revision or from now. */
export async function watch(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, options } = request;
  checkWatchOptions(options);
  const selection = requestSelection(request);
  const revision = revisionOf(options.resourceVersion) ?? 0;
  if (options.sendInitialEvents !== undefined) await waitForRevision(context, revision, request.signal);
  if (!isServed(context.kinds, resource)) throw noSuchPath();
  // Nothing awaits until the subscription, so that no event is lost between the initial events and the live ones.
  const collection = collectionOf(context, resource);
  const initial = initialEventsOf({
    collection,
    request,
    selection,
    revision,
    current: context.store.revision(),
  });
  const stream = new WatchStream({
    collection,
    resource,
    selection,
    clock: networkClock(context.clock),
    bookmarks: options.allowWatchBookmarks ?? false,
    lifetimeMs: lifetimeOf(context, request),
    initial: initial.events,
    prepared: readAhead(resource, initial.records()),
    from: context.store.revision(),
    untilRemoved: (end) => {
      const { kinds } = context;
      return kinds.subscribe(() => void (isServed(kinds, resource) || end()));
    },
  });
  if (initial.isOver) stream.end();
  context.openWatches.add(stream);
  return { kind: "watch", resource, stream };
}

interface WatchStart {
  readonly collection: Collection;
  readonly request: ApiRequest;
  readonly selection: Selection;
  readonly revision: number;
  readonly current: number;
}

interface InitialEvents {
  readonly events: Iterable<ServedWatchEvent>;
  /** The records that these events show. */
  readonly records: () => Iterable<StoreRecord>;
  readonly isOver?: boolean;
}

/** Returns the events before the live ones. */
function initialEventsOf(start: WatchStart): InitialEvents {
  const { request, revision, current } = start;
  const { sendInitialEvents, allowWatchBookmarks } = request.options;
  if (sendInitialEvents === true) {
    const end: ServedWatchEvent = { type: "BOOKMARK", revision: current, initialEventsEnd: true };
    return currentObjects(start, allowWatchBookmarks === true ? end : undefined);
  }
  if (revision > 0) return replay(start);
  return sendInitialEvents === false ? { events: [], records: () => [] } : currentObjects(start);
}

/**
 * Yields an ADDED event for every present object, each created when it is taken, since there may be tens of thousands.
 */
function currentObjects(start: WatchStart, end?: ServedWatchEvent): InitialEvents {
  const { collection, request, selection } = start;
  // Only the collection itself has indexes; the result of a lookup is read here.
  const view = selection.scope.of === "index" ? collection : collection.snapshot();
  const records = () => recordsInScope(view, selection, { namespace: request.namespace });
  return { events: addedEvents(records(), start, end), records };
}

function* addedEvents(
  records: Iterable<StoreRecord>,
  { request, selection }: WatchStart,
  end: ServedWatchEvent | undefined,
): Iterable<ServedWatchEvent> {
  for (const record of records) {
    const item = toServed(request.resource, record);
    if (selection.selectsAll || selection.matches(item.object)) yield { type: "ADDED", item };
  }
  if (end !== undefined) yield end;
}

/** Returns the events after a revision; a revision that is no longer kept ends the watch with an ERROR event. */
function replay({ collection, request, selection, revision, current }: WatchStart): InitialEvents {
  const events = revision > current ? undefined : collection.since(revision);
  if (events === undefined) {
    // A future revision belongs to an earlier run of this server, so that client has to list again too.
    const { status } = tooOld(revision, collection.oldestRevision());
    return { events: [{ type: "ERROR", status }], records: () => [], isOver: true };
  }
  return {
    events: servedEvents(events, request.resource, selection),
    records: () => events.flatMap(recordsOf),
  };
}

function* servedEvents(
  events: readonly StoreEvent[],
  resource: ServedResource,
  selection: Selection,
): Iterable<ServedWatchEvent> {
  for (const event of events) {
    const served = toWatchEvent(resource, selection, event);
    if (served !== undefined) yield served;
  }
}

function tooOld(revision: number, oldest: number): ApiError {
  return resourceExpired(`too old resource version: ${revision} (${oldest})`);
}

/** Returns the lifetime of a watch; without a timeout it is random, so that clients do not all reconnect at once. */
function lifetimeOf({ random }: ServerContext, { options }: ApiRequest): number {
  const { timeoutSeconds } = options;
  if (timeoutSeconds !== undefined && timeoutSeconds > 0)
    return Math.min(timeoutSeconds * 1000, maxLifetimeMs);
  return minLifetimeMs + randomInt(random, minLifetimeMs);
}
