import type { StoredObject } from "../../api/object.ts";
import { compareResourceVersions } from "../../api/resource-version.ts";
import { type Backoff, exponentialBackoffMs } from "../exponential-backoff.ts";
import { ApiError, hasCause, isGone } from "../client/api-error.ts";
import type { WatchEvent } from "../client/client.ts";
import {
  type Requesting,
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

export type ListWatchTransition<T extends StoredObject> = readonly [
  ListWatchState,
  readonly ListWatchOutput<T>[],
];

/** A stream that ended sooner without an event counts as a failure. */
const shortestQuietWatchMs = 1000;

/** The whole list/watch protocol: the state after an event, and the outputs for the objects. */
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
      // A server that does not know `sendInitialEvents` ignores it and never marks the end of the initial events: its
      // first ordinary bookmark shows that.
      if (!event.event.initialEventsEnd) return [listing(state, false), [{ type: "discard" }]];
      return listed(state, event.event.resourceVersion, []);
    case "failed":
      return [afterFailedStream(state, event), [{ type: "discard" }]];
    case "ended": // without the mark: the server may not know it
      return [backOff(listing(state, state.streams), event), [{ type: "discard" }]];
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
    // The snapshot behind the continue token has expired, and would again: list without pages.
    if (state.continue !== undefined && isResourceVersionUnavailable(event.error))
      return [backOff({ ...state, continue: undefined, paged: false }, event), [{ type: "discard" }]];
    return [backOff(state, event), []];
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
      return received(state, event.event);
    case "ended": {
      const served = state.resourceVersion !== state.openedAt || event.lastedMs >= shortestQuietWatchMs;
      return [served ? { ...reopened(state), failures: 0 } : backOff(reopened(state), event), []];
    }
    case "failed": {
      if (!isResourceVersionUnavailable(event.error)) return [backOff(reopened(state), event), []];
      const relist = relisting(state);
      return [state.failures === 0 ? { ...relist, failures: 1 } : backOff(relist, event), []];
    }
    case "page":
    case "rested":
      return [state, []];
  }
}

function received<T extends StoredObject>(state: Watching, event: WatchEvent<T>): ListWatchTransition<T> {
  const version = event.type === "BOOKMARK" ? event.resourceVersion : event.object.metadata.resourceVersion;
  const isNewer = (compareResourceVersions(version, state.resourceVersion) ?? 1) > 0;
  const resourceVersion = isNewer ? version : state.resourceVersion;
  const { phase, streams, openedAt } = state;
  const next: Watching = isNewer ? { phase, failures: 0, streams, resourceVersion, openedAt } : state;
  if (event.type === "BOOKMARK") return [next, isNewer ? [{ type: "reach", resourceVersion }] : []];
  // Events at a version already read are repetitions. Except deletions: a UID never returns, and some servers send them
  // with the version the object had before.
  if (!isNewer && event.type !== "DELETED") return [state, []];
  return [next, [{ type: "apply", event, resourceVersion }]];
}

/** The collection is complete at a version. Failures count on until the watch makes progress. */
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

function listing({ failures }: AttemptHistory, streams: boolean): Listing {
  return { phase: "listing", failures, streams, continue: undefined, paged: true };
}

/**
 * The state after a streamed list has failed. A server that cannot stream, because its etcd is too old for instance,
 * may say so with any code: only a list shows whether there is more wrong.
 */
function afterFailedStream(
  state: WatchListing,
  { error, jitter }: { readonly error: unknown; readonly jitter: number },
): ListWatchState {
  if (!(error instanceof ApiError) || failsListsToo.has(error.code)) return backOff(state, { error, jitter });
  if (streamingRefusals.has(error.code)) return listing(state, false);
  const list = listing(state, state.streams);
  return state.failures === 0 ? { ...list, failures: 1 } : backOff(list, { error, jitter });
}

function relisting(state: Watching): WatchListing | Listing {
  return state.streams ? { ...initialState, failures: state.failures } : listing(state, false);
}

function reopened(state: Watching): Watching {
  return { ...state, openedAt: state.resourceVersion };
}

// upstream: reflector.go, the backoff of NewReflectorWithOptions
const backoff: Backoff = { initialMs: 800, maxMs: 30_000 };

/** Waits before the next attempt: jittered so that clients do not retry in step, never less than the server asked. */
function backOff(
  next: Requesting,
  { jitter, error }: { readonly jitter: number; readonly error?: unknown },
): BackingOff {
  const delayMs = Math.max(
    exponentialBackoffMs(backoff, next.failures) * (1 + jitter),
    requestedDelayMs(error),
  );
  return { phase: "backing-off", delayMs, next: { ...next, failures: next.failures + 1 } };
}

function requestedDelayMs(error: unknown): number {
  return error instanceof ApiError ? (error.status.details?.retryAfterSeconds ?? 0) * 1000 : 0;
}

/** Whether the version is too old, or newer than anything a restored server has: it cannot be watched from. */
function isResourceVersionUnavailable(error: unknown): boolean {
  return isGone(error) || hasCause(error, "ResourceVersionTooLarge");
}

/** How servers answer that do not support streamed lists (`sendInitialEvents`). */
const streamingRefusals: ReadonlySet<number> = new Set([400, 405, 406, 415, 422]);
/** How servers answer that would refuse a list as well: no access, no such resource, too many requests. */
const failsListsToo: ReadonlySet<number> = new Set([401, 403, 404, 429, 503]);
