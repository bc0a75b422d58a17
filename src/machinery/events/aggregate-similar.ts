import type { Instant } from "../../api/time.ts";

// upstream: events_cache.go, defaultAggregateMaxEvents and defaultAggregateIntervalInSeconds
const combinedFrom = 10;
const forgottenAfterMs = 600_000;

/** What is remembered of events that differ in nothing but their message. */
export interface SimilarEvents {
  /** The messages that have an event of their own. */
  readonly messages: readonly string[];
  readonly lastAt: Instant;
}

/**
 * Whether an event is to be combined with others like it: when the tenth message comes, with less than ten minutes
 * of silence in between. Messages that have an event of their own keep it.
 */
export function aggregateSimilar(
  known: SimilarEvents | undefined,
  message: string,
  now: Instant,
): { readonly combine: boolean; readonly similar: SimilarEvents } {
  const messages = known === undefined || now - known.lastAt > forgottenAfterMs ? [] : known.messages;
  if (messages.includes(message)) return { combine: false, similar: { messages, lastAt: now } };
  if (messages.length + 1 >= combinedFrom) return { combine: true, similar: { messages, lastAt: now } };
  return { combine: false, similar: { messages: [...messages, message], lastAt: now } };
}
