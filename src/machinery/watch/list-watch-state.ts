import type { StoredObject } from "../../api/object.ts";
import type { ListResult, WatchEvent } from "../client/client.ts";

/** What carries over from one attempt to the next. */
export interface AttemptHistory {
  /** Failures since the watch last made progress; any but the first is followed by a backoff, so nothing runs hot. */
  readonly failures: number;
  /** Whether the server supports streamed lists; false once it has refused one. */
  readonly streams: boolean;
}

/** Streaming the list and the changes after it in one watch. */
export interface WatchListing extends AttemptHistory {
  readonly phase: "watch-listing";
}

/** Listing page by page, for servers without streamed lists. */
export interface Listing extends AttemptHistory {
  readonly phase: "listing";
  /** The continue token of the next page; absent for the first. */
  readonly continue: string | undefined;
  /** False once a continue token has expired: then everything is listed at once. */
  readonly paged: boolean;
}

/** Watching changes after `resourceVersion`, on a stream opened at the resource version `openedAt`. */
export interface Watching extends AttemptHistory {
  readonly phase: "watching";
  readonly resourceVersion: string;
  readonly openedAt: string;
}

/** Waiting before `next` is attempted. */
export interface BackingOff {
  readonly phase: "backing-off";
  readonly delayMs: number;
  readonly next: Requesting;
}

export type Requesting = WatchListing | Listing | Watching;
export type ListWatchState = Requesting | BackingOff;

/** The events of the machine. `jitter` is a random number in [0, 1). */
export type ListWatchEvent<T extends StoredObject> =
  | { readonly type: "page"; readonly page: ListResult<T> }
  | { readonly type: "watched"; readonly event: WatchEvent<T> }
  | { readonly type: "ended"; readonly lastedMs: number; readonly jitter: number }
  | { readonly type: "failed"; readonly error: unknown; readonly jitter: number }
  | { readonly type: "rested" };

export type ObjectEvent<T> = Exclude<WatchEvent<T>, { type: "BOOKMARK" }>;

/** The outputs of the machine, applied to the objects by its consumer. */
export type ListWatchOutput<T extends StoredObject> =
  /** Part of a list that is not complete yet. */
  | { readonly type: "gather"; readonly event: ObjectEvent<T> }
  /** The incomplete list is invalid. */
  | { readonly type: "discard" }
  /** The list is complete at this version: it replaces the objects. */
  | { readonly type: "replace"; readonly resourceVersion: string }
  /** A change of one object, which brings the collection to this version. */
  | { readonly type: "apply"; readonly event: ObjectEvent<T>; readonly resourceVersion: string }
  /** A bookmark: nothing has changed up to this version. */
  | { readonly type: "reach"; readonly resourceVersion: string };

/** The state the machine starts in. */
export const initialState: WatchListing = { phase: "watch-listing", failures: 0, streams: true };
