import type { StoredObject } from "../../api/object.ts";
import type { ListResult, WatchEvent } from "../client/client.ts";

/** What every attempt remembers. */
export interface AttemptHistory {
  /** Failures since the watch last got somewhere; any but the first is followed by a rest, so nothing runs hot. */
  readonly failures: number;
  /** Whether the server can list through a watch; known to be false once it has refused. */
  readonly streams: boolean;
}

/** Asking for everything and all that follows in one stream. */
export interface WatchListing extends AttemptHistory {
  readonly phase: "watch-listing";
}

/** Asking for everything page by page: for servers that cannot do it in one stream. */
export interface Listing extends AttemptHistory {
  readonly phase: "listing";
  /** Where the next page begins; absent for the first. */
  readonly continue: string | undefined;
  /** False once a page came too late: everything at once, then. */
  readonly paged: boolean;
}

/** Hearing of changes after `resourceVersion`, on a stream that was opened at `openedAt` (also a resource version). */
export interface Watching extends AttemptHistory {
  readonly phase: "watching";
  readonly resourceVersion: string;
  readonly openedAt: string;
}

/** Resting before `next` is tried. */
export interface BackingOff {
  readonly phase: "backing-off";
  readonly delayMs: number;
  readonly next: Attempt;
}

export type Attempt = WatchListing | Listing | Watching;
export type ListWatchState = Attempt | BackingOff;

/** What can happen to the machine. `jitter` in [0, 1) is drawn by whoever drives it. */
export type ListWatchEvent<T extends StoredObject> =
  | { readonly type: "page"; readonly page: ListResult<T> }
  | { readonly type: "watched"; readonly event: WatchEvent<T> }
  | { readonly type: "ended"; readonly lastedMs: number; readonly jitter: number }
  | { readonly type: "failed"; readonly error: unknown; readonly jitter: number }
  | { readonly type: "rested" };

export type ObjectEvent<T> = Exclude<WatchEvent<T>, { type: "BOOKMARK" }>;

/** What the machine tells the one who keeps the objects. */
export type ListWatchOutput<T extends StoredObject> =
  /** Part of a new picture of the whole collection: keep it aside. */
  | { readonly type: "gather"; readonly event: ObjectEvent<T> }
  /** The picture being gathered is void. */
  | { readonly type: "discard" }
  /** What was gathered is the whole collection at this version: it replaces what was known. */
  | { readonly type: "replace"; readonly resourceVersion: string }
  /** One change of what is known; it is known up to this version then. */
  | { readonly type: "apply"; readonly event: ObjectEvent<T>; readonly resourceVersion: string }
  /** Nothing has changed up to this version. */
  | { readonly type: "reach"; readonly resourceVersion: string };

/** Where the machine starts. */
export const initialState: WatchListing = { phase: "watch-listing", failures: 0, streams: true };
