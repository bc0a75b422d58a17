import type { ApiError } from "../../../machinery/client/api-error.ts";
import { randomInt } from "../../../machinery/random/random.ts";
import type { Collection } from "../../store/store.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { checkWatchOptions, revisionOf } from "../request/list-options.ts";
import { recordsInScope, type Selection, selectionOf } from "../request/selection.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { resourceExpired } from "../status-errors.ts";
import { toServed } from "../storage/served-object.ts";
import { waitForRevision } from "../storage/wait-for-revision.ts";
import { type ServedWatchEvent, toWatchEvent } from "../watch/served-watch-event.ts";
import { WatchStream } from "../watch/watch-stream.ts";

const shortestLifeMs = 1_800_000;

/** Streams what happens to a selection, from a revision or from now. */
export async function watch(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, options } = request;
  checkWatchOptions(options);
  const selection = selectionOf(request);
  const revision = revisionOf(options.resourceVersion) ?? 0;
  if (options.sendInitialEvents !== undefined) await waitForRevision(context, revision, request.signal);
  // From here to the subscription nothing awaits: no event can fall between what is told first and what follows.
  const collection = collectionOf(context, resource);
  const beginning = beginningOf({
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
    clock: context.clock,
    bookmarks: options.allowWatchBookmarks ?? false,
    lifeMs: lifeOf(context, request),
    initial: beginning.items,
    from: context.store.revision(),
  });
  if (beginning.over) stream.end();
  return { kind: "watch", resource, stream };
}

interface Asked {
  readonly collection: Collection;
  readonly request: ApiRequest;
  readonly selection: Selection;
  readonly revision: number;
  readonly current: number;
}

interface Beginning {
  readonly items: readonly ServedWatchEvent[];
  readonly over?: boolean;
}

/** What the watch says before anything live. */
function beginningOf(asked: Asked): Beginning {
  const { request, revision, current } = asked;
  const { sendInitialEvents, allowWatchBookmarks } = request.options;
  if (sendInitialEvents === true) {
    const end: ServedWatchEvent = { type: "BOOKMARK", revision: current, initialEventsEnd: true };
    return { items: [...presentItems(asked), ...(allowWatchBookmarks === true ? [end] : [])] };
  }
  if (revision > 0) return replay(asked);
  return { items: sendInitialEvents === false ? [] : presentItems(asked) };
}

/** What is there now, each as if it had just been added. */
function presentItems({ collection, request, selection }: Asked): ServedWatchEvent[] {
  const { resource, namespace } = request;
  const items: ServedWatchEvent[] = [];
  for (const record of recordsInScope(collection, selection, { namespace })) {
    const item = toServed(resource, record);
    if (selection.selectsAll || selection.matches(item.object)) items.push({ type: "ADDED", item });
  }
  return items;
}

/** What happened after a revision; a revision that history does not reach ends the watch with an error. */
function replay({ collection, request, selection, revision, current }: Asked): Beginning {
  const events = revision > current ? undefined : collection.since(revision);
  if (events === undefined) {
    // A revision from the future belongs to an earlier life of this server: such a client has to list again too.
    const { status } = tooOld(revision, collection.oldestRevision());
    return { items: [{ type: "ERROR", status }], over: true };
  }
  return { items: events.flatMap((event) => toWatchEvent(request.resource, selection, event) ?? []) };
}

function tooOld(revision: number, oldest: number): ApiError {
  return resourceExpired(`too old resource version: ${revision} (${oldest})`);
}

/** Watches that name no end get one at a random time, so that clients do not all come back at once. */
function lifeOf({ random }: ServerContext, { options }: ApiRequest): number {
  const { timeoutSeconds } = options;
  if (timeoutSeconds !== undefined && timeoutSeconds > 0) return timeoutSeconds * 1000;
  return shortestLifeMs + randomInt(random, shortestLifeMs);
}
