import type { ConfigMap } from "../../api/generated/core-v1.ts";
import { ApiError } from "../client/api-error.ts";
import type { WatchEvent } from "../client/client.ts";
import type { ListWatchEvent, ListWatchOutput, ListWatchState } from "./list-watch-state.ts";

interface Case {
  readonly name: string;
  readonly state: ListWatchState;
  readonly event: ListWatchEvent<ConfigMap>;
  readonly want: ListWatchState;
  readonly outputs?: readonly ListWatchOutput<ConfigMap>[];
}

export const object = (resourceVersion: string, name = "a"): ConfigMap => ({
  metadata: { name, namespace: "default", uid: `uid-of-${name}`, resourceVersion },
});

const streaming = { phase: "watch-listing", failures: 0, streams: true } as const;
const listing = { phase: "listing", failures: 0, streams: false, continue: undefined, paged: true } as const;
const watching = {
  phase: "watching",
  failures: 0,
  streams: true,
  resourceVersion: "10",
  openedAt: "10",
} as const;

const watched = (event: WatchEvent<ConfigMap>) => ({ type: "watched", event }) as const;
const bookmark = (resourceVersion: string, initialEventsEnd = false) =>
  watched({ type: "BOOKMARK", resourceVersion, initialEventsEnd });
const failed = (error: unknown) => ({ type: "failed", error, jitter: 0 }) as const;
const ended = (lastedMs: number) => ({ type: "ended", lastedMs, jitter: 0 }) as const;

const broken = new Error("connection reset");
const refused = new ApiError({ code: 422, reason: "Invalid" });
const gone = new ApiError({ code: 410, reason: "Expired" });
const tooLarge = new ApiError({
  code: 504,
  reason: "Timeout",
  details: { causes: [{ reason: "ResourceVersionTooLarge" }] },
});
const internalError = new ApiError({ code: 500, reason: "InternalError" });
const forbidden = new ApiError({ code: 403, reason: "Forbidden" });
const busy = new ApiError({ code: 429, reason: "TooManyRequests", details: { retryAfterSeconds: 7 } });

const added = { type: "ADDED", object: object("11") } as const;
const deleted = { type: "DELETED", object: object("9") } as const;

/** Every transition of the list/watch machine. */
export const transitions: readonly Case[] = [
  {
    name: "gathers what the stream begins with",
    state: streaming,
    event: watched(added),
    want: streaming,
    outputs: [{ type: "gather", event: added }],
  },
  {
    name: "knows the collection at the end of the initial events",
    state: streaming,
    event: bookmark("10", true),
    want: watching,
    outputs: [{ type: "replace", resourceVersion: "10" }],
  },
  {
    name: "lists when the server refuses to stream the collection",
    state: streaming,
    event: failed(refused),
    want: listing,
    outputs: [{ type: "discard" }],
  },
  {
    name: "lists when the server does not know what it was asked for",
    state: streaming,
    event: bookmark("10"),
    want: listing,
    outputs: [{ type: "discard" }],
  },
  {
    name: "begins again, after a rest, when the stream breaks before its time",
    state: streaming,
    event: failed(broken),
    want: { phase: "backing-off", delayMs: 800, next: { ...streaming, failures: 1 } },
    outputs: [{ type: "discard" }],
  },
  {
    name: "lists, after a rest, when the stream ends before its time",
    state: streaming,
    event: ended(60_000),
    want: { phase: "backing-off", delayMs: 800, next: { ...listing, streams: true, failures: 1 } },
    outputs: [{ type: "discard" }],
  },
  {
    name: "lists for once when the server fails to stream the collection",
    state: streaming,
    event: failed(internalError),
    want: { ...listing, streams: true, failures: 1 },
    outputs: [{ type: "discard" }],
  },
  {
    name: "lists, after a rest, when the server fails to stream again and again",
    state: { ...streaming, failures: 1 },
    event: failed(internalError),
    want: { phase: "backing-off", delayMs: 1600, next: { ...listing, streams: true, failures: 2 } },
    outputs: [{ type: "discard" }],
  },
  {
    name: "begins again, after a rest, when a list would be refused too",
    state: streaming,
    event: failed(forbidden),
    want: { phase: "backing-off", delayMs: 800, next: { ...streaming, failures: 1 } },
    outputs: [{ type: "discard" }],
  },
  {
    name: "asks for the next page",
    state: listing,
    event: { type: "page", page: { items: [object("5")], resourceVersion: "10", continue: "more" } },
    want: { ...listing, continue: "more" },
    outputs: [{ type: "gather", event: { type: "ADDED", object: object("5") } }],
  },
  {
    name: "knows the collection after the last page",
    state: { ...listing, continue: "more" },
    event: { type: "page", page: { items: [object("5")], resourceVersion: "10", continue: "" } },
    want: { ...watching, streams: false },
    outputs: [
      { type: "gather", event: { type: "ADDED", object: object("5") } },
      { type: "replace", resourceVersion: "10" },
    ],
  },
  {
    name: "asks for the same page again after a failure",
    state: { ...listing, continue: "more", failures: 2 },
    event: failed(broken),
    want: { phase: "backing-off", delayMs: 3200, next: { ...listing, continue: "more", failures: 3 } },
  },
  {
    name: "asks for everything at once when a page came too late",
    state: { ...listing, continue: "more" },
    event: failed(gone),
    want: { phase: "backing-off", delayMs: 800, next: { ...listing, paged: false, failures: 1 } },
    outputs: [{ type: "discard" }],
  },
  {
    name: "applies a change and remembers how far it came",
    state: { ...watching, failures: 3 },
    event: watched(added),
    want: { ...watching, resourceVersion: "11" },
    outputs: [{ type: "apply", event: added, resourceVersion: "11" }],
  },
  {
    name: "lets a bookmark take it further",
    state: { ...watching, failures: 3 },
    event: bookmark("20"),
    want: { ...watching, resourceVersion: "20" },
    outputs: [{ type: "reach", resourceVersion: "20" }],
  },
  {
    name: "takes versions it cannot compare as they come",
    state: watching,
    event: bookmark("opaque"),
    want: { ...watching, resourceVersion: "opaque" },
    outputs: [{ type: "reach", resourceVersion: "opaque" }],
  },
  {
    name: "does not go back for a bookmark",
    state: watching,
    event: bookmark("9"),
    want: watching,
  },
  {
    name: "does not apply what it has gone past",
    state: watching,
    event: watched({ type: "MODIFIED", object: object("10") }),
    want: watching,
  },
  {
    name: "believes a deletion that carries an old version",
    state: watching,
    event: watched(deleted),
    want: watching,
    outputs: [{ type: "apply", event: deleted, resourceVersion: "10" }],
  },
  {
    name: "resumes at once after a clean end",
    state: { ...watching, resourceVersion: "20" },
    event: ended(0),
    want: { ...watching, resourceVersion: "20", openedAt: "20" },
  },
  {
    name: "resumes at once after a long quiet watch, forgiving what failed before",
    state: { ...watching, failures: 4 },
    event: ended(300_000),
    want: watching,
  },
  {
    name: "rests after a watch that ended at once and brought nothing",
    state: watching,
    event: ended(999),
    want: { phase: "backing-off", delayMs: 800, next: { ...watching, failures: 1 } },
  },
  {
    name: "resumes where it was, after a rest, when the watch breaks",
    state: { ...watching, resourceVersion: "20" },
    event: failed(broken),
    want: {
      phase: "backing-off",
      delayMs: 800,
      next: { ...watching, resourceVersion: "20", openedAt: "20", failures: 1 },
    },
  },
  {
    name: "rests for as long as the server asks",
    state: watching,
    event: failed(busy),
    want: { phase: "backing-off", delayMs: 7000, next: { ...watching, failures: 1 } },
  },
  {
    name: "lists again at once when its version is gone",
    state: watching,
    event: failed(gone),
    want: { ...streaming, failures: 1 },
  },
  {
    name: "lists again at once when the server was restored to an older state",
    state: watching,
    event: failed(tooLarge),
    want: { ...streaming, failures: 1 },
  },
  {
    name: "lists again page by page where streaming was refused",
    state: { ...watching, streams: false },
    event: failed(gone),
    want: { ...listing, failures: 1 },
  },
  {
    name: "rests when its version is gone time and again",
    state: { ...watching, failures: 1 },
    event: failed(gone),
    want: { phase: "backing-off", delayMs: 1600, next: { ...streaming, failures: 2 } },
  },
  {
    name: "goes on when rested",
    state: { phase: "backing-off", delayMs: 800, next: { ...watching, failures: 1 } },
    event: { type: "rested" },
    want: { ...watching, failures: 1 },
  },
];
