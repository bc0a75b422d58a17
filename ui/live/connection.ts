import type { Instant } from "../../src/api/time.ts";
import { messageOf } from "../../src/api/message-of.ts";
import { ApiError } from "../../src/machinery/client/api-error.ts";
import { type WatchedKind, watchedKinds } from "./kinds.ts";

/** The health of the watch of one kind. */
export type WatchHealth =
  | { readonly kind: "opening" }
  | { readonly kind: "current" }
  /** The server may not, or cannot, show this kind: the others go on. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "lost"; readonly since: Instant; readonly message: string };

/** A kind that cannot be read, and why. */
export interface RefusedKind {
  readonly name: WatchedKind;
  readonly message: string;
}

/** What the page says about its connection. */
export type PageConnection =
  | { readonly kind: "opening" }
  | { readonly kind: "live"; readonly refused: readonly RefusedKind[] }
  | { readonly kind: "lost"; readonly since: Instant; readonly message: string }
  /** Other tabs of the page have all connections that a browser may keep open. */
  | { readonly kind: "paused"; readonly since: Instant }
  | { readonly kind: "session-ended" };

export type WatchHealths = Readonly<Record<WatchedKind, WatchHealth>>;

export const allOpening = Object.fromEntries(
  watchedKinds.map((kind) => [kind, { kind: "opening" }]),
) as WatchHealths;

/** The health of a watch after a failure; a failure that goes on began with the first one. */
export function afterFailure(previous: WatchHealth, error: unknown, now: Instant): WatchHealth {
  const message = messageOf(error);
  const isRefusal = error instanceof ApiError && (error.code === 403 || error.code === 404);
  if (isRefusal) return { kind: "refused", message };
  return { kind: "lost", since: previous.kind === "lost" ? previous.since : now, message };
}

/** The connection as a whole: lost as soon as one watch is, since the page shows all kinds together. */
export function pageConnectionOf(healths: WatchHealths, isSessionEnded: boolean): PageConnection {
  if (isSessionEnded) return { kind: "session-ended" };
  const all = watchedKinds.map((kind) => ({ name: kind, health: healths[kind] }));
  const lost = all.flatMap(({ health }) => (health.kind === "lost" ? [health] : []));
  const [first] = lost.toSorted((a, b) => a.since - b.since);
  if (first !== undefined) return first;
  if (all.some(({ health }) => health.kind === "opening")) return { kind: "opening" };
  return {
    kind: "live",
    refused: all.flatMap(({ name, health }) =>
      health.kind === "refused" ? [{ name, message: health.message }] : [],
    ),
  };
}
