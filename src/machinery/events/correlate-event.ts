import type { Event, EventSource } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Draft } from "../../api/object.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import { trimRight } from "../../api/trim-right.ts";
import type { EventDraft } from "./event-draft.ts";

/** A draft, its source, and the name the Event gets if a new one is created. */
export interface ObservedEvent {
  readonly draft: EventDraft;
  readonly source: EventSource;
  readonly name: string;
}

/** What is kept of one Event object. */
export interface SeenEvent {
  readonly name: string;
  readonly count: number;
  readonly firstAt: Instant;
  /** False while the spam filter has dropped every occurrence, the first included. */
  readonly written: boolean;
}

/** What is kept of events that differ in nothing but their message. */
export interface SimilarEvents {
  /** The messages that have an Event of their own. */
  readonly messages: readonly string[];
  readonly lastAt: Instant;
}

/** The history that the decision about a draft depends on. */
export interface EventHistory {
  readonly similar?: SimilarEvents | undefined;
  /** The token bucket of the source and the object. */
  readonly fullAt?: Instant | undefined;
  /** The Event with this very message. */
  readonly single?: SeenEvent | undefined;
  /** The Event that stands for all similar ones. */
  readonly aggregate?: SeenEvent | undefined;
}

/** `patch` carries the whole Event too: if it has expired on the server, it is created again. */
export type EventDecision =
  | { readonly type: "create"; readonly event: Draft<Event> }
  | { readonly type: "patch"; readonly event: Draft<Event>; readonly body: JsonObject }
  | { readonly type: "drop" };

// upstream: events_cache.go, EventCorrelate
/** Decides whether a draft is created, counted on an Event that exists, or dropped; pure. */
export function correlateEvent(
  history: EventHistory,
  observed: ObservedEvent,
  now: Instant,
): { readonly decision: EventDecision; readonly history: EventHistory } {
  const { message, isSummary = false } = observed.draft;
  const { isAggregated, similar } = aggregateSimilar(history.similar, message, now);
  const { allowed, fullAt } = isSummary
    ? { allowed: true, fullAt: history.fullAt }
    : takeToken(history.fullAt, now);
  const unseen: SeenEvent = { name: observed.name, count: 0, firstAt: now, written: false };
  const earlier = (isAggregated ? history.aggregate : history.single) ?? unseen;
  const seen = { ...earlier, count: earlier.count + 1, written: allowed || earlier.written };
  const text = isAggregated ? `(combined from similar events): ${message}` : message;
  const event = eventOf(observed, seen, { message: text, now });
  return {
    decision: allowed ? write(event, earlier) : { type: "drop" },
    history: { ...history, similar, fullAt, [isAggregated ? "aggregate" : "single"]: seen },
  };
}

// upstream: events_cache.go, defaultAggregateMaxEvents and defaultAggregateIntervalInSeconds
const aggregatedFrom = 10;
const aggregateIntervalMs = 600_000;

/**
 * Whether an event is aggregated with similar ones: from the tenth message on, with less than ten minutes between two.
 * Messages that have an Event of their own keep it.
 */
export function aggregateSimilar(
  known: SimilarEvents | undefined,
  message: string,
  now: Instant,
): { readonly isAggregated: boolean; readonly similar: SimilarEvents } {
  const messages = known === undefined || now - known.lastAt > aggregateIntervalMs ? [] : known.messages;
  if (messages.includes(message)) return { isAggregated: false, similar: { messages, lastAt: now } };
  if (messages.length + 1 >= aggregatedFrom)
    return { isAggregated: true, similar: { messages, lastAt: now } };
  return { isAggregated: false, similar: { messages: messages.concat(message), lastAt: now } };
}

// upstream: events_cache.go, defaultSpamBurst and defaultSpamQPS
const spamBurst = 25;
const spamRefillMs = 300_000;

/**
 * The spam filter: a token bucket, kept as the instant at which it is full again. Each token moves that instant five
 * minutes on, and one is available while the instant is at most a whole bucket away. Milliseconds are whole numbers,
 * so nothing is rounded.
 */
export function takeToken(
  fullAt: Instant | undefined,
  now: Instant,
): { readonly allowed: boolean; readonly fullAt: Instant } {
  const from = Math.max(fullAt ?? now, now);
  const allowed = from + spamRefillMs - now <= spamBurst * spamRefillMs;
  return { allowed, fullAt: allowed ? from + spamRefillMs : from };
}

function write(event: Draft<Event>, earlier: SeenEvent): EventDecision {
  if (!earlier.written) return { type: "create", event };
  const { count, lastTimestamp, message } = event;
  return { type: "patch", event, body: { count, lastTimestamp, message } };
}

function eventOf(
  { draft, source }: ObservedEvent,
  { name, count, firstAt }: SeenEvent,
  { message, now }: { readonly message: string; readonly now: Instant },
): Draft<Event> {
  const { regarding, type, reason, action, related, annotations } = draft;
  return {
    // Events of cluster-scoped objects are in the namespace `default`.
    metadata: {
      name,
      namespace: regarding.namespace ?? "default",
      ...(annotations !== undefined && { annotations }),
    },
    involvedObject: regarding,
    type,
    reason,
    message: truncateMessage(message),
    count,
    firstTimestamp: formatTime(firstAt),
    lastTimestamp: formatTime(now),
    source,
    reportingComponent: source.component ?? "",
    reportingInstance: source.host ?? "",
    ...(action !== undefined && { action }),
    ...(related !== undefined && { related }),
  };
}

// Validation of events.k8s.io, through which the same object can be read, allows this many bytes.
const maxMessageBytes = 1024;
const ellipsis = " ...";
/** What a UTF-16 code unit takes at most in UTF-8. */
const maxBytesPerUnit = 3;

/** Cuts a message that is too long between two characters and marks the cut. */
export function truncateMessage(message: string): string {
  if (message.length * maxBytesPerUnit <= maxMessageBytes) return message;
  const bytes = new TextEncoder().encode(message);
  if (bytes.length <= maxMessageBytes) return message;
  const kept = bytes.subarray(0, maxMessageBytes - ellipsis.length);
  return trimRight(new TextDecoder().decode(kept), "\uFFFD") + ellipsis;
}
