import type { StoredObject } from "../../api/object.ts";
import { compareResourceVersions } from "../../api/resource-version.ts";
import type { WatchEvent } from "../client/client.ts";
import { backOffMs } from "./back-off.ts";
import {
  type Attempt,
  type BackingOff,
  initialState,
  type Listing,
  type ListWatchEvent,
  type ListWatchOutput,
  type ListWatchState,
  type AttemptHistory,
  type Watching,
  type WatchListing,
} from "./list-watch-state.ts";
import { isResourceVersionUnavailable, refusesStreaming } from "./refusals.ts";

export type ListWatchTransition<T extends StoredObject> = readonly [
  ListWatchState,
  readonly ListWatchOutput<T>[],
];

/** A stream that ended sooner without having brought anything counts as a failure. */
const shortestQuietWatchMs = 1000;

/** The whole list/watch protocol: where an event leads from a state, and what it means for the objects kept. */
export function step<T extends StoredObject>(
  state: ListWatchState,
  event: ListWatchEvent<T>,
): ListWatchTransition<T> {
  switch (state.phase) {
    case "watch-listing":
      return whileWatchListing(state, event);
    case "listing":
      return whileListing(state, event);
    case "watching":
      return whileWatching(state, event);
    case "backing-off":
      return [event.type === "rested" ? state.next : state, []];
  }
}

function whileWatchListing<T extends StoredObject>(
  state: WatchListing,
  event: ListWatchEvent<T>,
): ListWatchTransition<T> {
  switch (event.type) {
    case "watched":
      if (event.event.type !== "BOOKMARK") return [state, [{ type: "gather", event: event.event }]];
      // A server that does not know `sendInitialEvents` ignores it and never marks the end of the initial events:
      // its first ordinary bookmark gives it away.
      if (!event.event.initialEventsEnd) return [listing(state), [{ type: "discard" }]];
      return listed(state, event.event.resourceVersion, []);
    case "failed":
      if (refusesStreaming(event.error)) return [listing(state), [{ type: "discard" }]];
      return [rest(state, event), [{ type: "discard" }]];
    case "ended":
      return [rest(state, event), [{ type: "discard" }]];
    case "page":
    case "rested":
      return [state, []];
  }
}

function whileListing<T extends StoredObject>(
  state: Listing,
  event: ListWatchEvent<T>,
): ListWatchTransition<T> {
  if (event.type === "failed") {
    // The snapshot behind the continue token is gone, and would be again: no pages this time.
    if (state.continue !== undefined && isResourceVersionUnavailable(event.error))
      return [rest({ ...state, continue: undefined, paged: false }, event), [{ type: "discard" }]];
    return [rest(state, event), []];
  }
  if (event.type !== "page") return [state, []];
  const { items, resourceVersion, continue: following } = event.page;
  const gathered = items.map((object) => gather(object));
  if (following === undefined || following === "") return listed(state, resourceVersion, gathered);
  return [{ ...state, continue: following }, gathered];
}

function whileWatching<T extends StoredObject>(
  state: Watching,
  event: ListWatchEvent<T>,
): ListWatchTransition<T> {
  switch (event.type) {
    case "watched":
      return heard(state, event.event);
    case "ended": {
      const served = state.resourceVersion !== state.openedAt || event.lastedMs >= shortestQuietWatchMs;
      return [served ? { ...reopened(state), failures: 0 } : rest(reopened(state), event), []];
    }
    case "failed": {
      if (!isResourceVersionUnavailable(event.error)) return [rest(reopened(state), event), []];
      const relist = relisting(state);
      return [state.failures === 0 ? { ...relist, failures: 1 } : rest(relist, event), []];
    }
    case "page":
    case "rested":
      return [state, []];
  }
}

function heard<T extends StoredObject>(state: Watching, event: WatchEvent<T>): ListWatchTransition<T> {
  const version = event.type === "BOOKMARK" ? event.resourceVersion : event.object.metadata.resourceVersion;
  const isNews = (compareResourceVersions(version, state.resourceVersion) ?? 1) > 0;
  const resourceVersion = isNews ? version : state.resourceVersion;
  const next: Watching = isNews ? { ...state, resourceVersion, failures: 0 } : state;
  if (event.type === "BOOKMARK") return [next, isNews ? [{ type: "reach", resourceVersion }] : []];
  // Whatever is sent again is old. But for deletions: a UID never comes back, and some servers send them with the
  // version the object had before.
  if (!isNews && event.type !== "DELETED") return [state, []];
  return [next, [{ type: "apply", event, resourceVersion }]];
}

/** The collection is known at a version. Not yet a success: only what the watch then brings is. */
function listed<T extends StoredObject>(
  { failures, streams }: AttemptHistory,
  resourceVersion: string,
  gathered: readonly ListWatchOutput<T>[],
): ListWatchTransition<T> {
  const watching = {
    phase: "watching",
    failures,
    streams,
    resourceVersion,
    openedAt: resourceVersion,
  } as const;
  return [watching, [...gathered, { type: "replace", resourceVersion }]];
}

function gather<T extends StoredObject>(object: T): ListWatchOutput<T> {
  return { type: "gather", event: { type: "ADDED", object } };
}

function listing({ failures }: AttemptHistory): Listing {
  return { phase: "listing", failures, streams: false, continue: undefined, paged: true };
}

function relisting(state: Watching): WatchListing | Listing {
  return state.streams ? { ...initialState, failures: state.failures } : listing(state);
}

function reopened(state: Watching): Watching {
  return { ...state, openedAt: state.resourceVersion };
}

function rest(
  next: Attempt,
  { chance, error }: { readonly chance: number; readonly error?: unknown },
): BackingOff {
  const delayMs = backOffMs(next.failures, chance, error);
  return { phase: "backing-off", delayMs, next: { ...next, failures: next.failures + 1 } };
}
