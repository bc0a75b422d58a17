import type { Event, EventSource } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Draft } from "../../api/object.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import { aggregateSimilar, type SimilarEvents } from "./aggregate-similar.ts";
import type { EventDraft } from "./event-draft.ts";
import { truncateMessage } from "./truncate-message.ts";
import { takeToken } from "./spam-filter.ts";

/** A note, who took it, and the name its event gets should it become one of its own. */
export interface ObservedEvent {
  readonly draft: EventDraft;
  readonly source: EventSource;
  readonly name: string;
}

/** What is remembered of one event object. */
export interface SeenEvent {
  readonly name: string;
  readonly count: number;
  readonly firstAt: Instant;
  /** Whether it was written: the spam filter may have kept even the first one back. */
  readonly written: boolean;
}

/** Everything remembered that bears on a note. */
export interface EventHistory {
  readonly similar?: SimilarEvents | undefined;
  /** The token bucket of the source and the object. */
  readonly fullAt?: Instant | undefined;
  /** The event with this very message. */
  readonly single?: SeenEvent | undefined;
  /** The event that stands for all similar ones. */
  readonly aggregate?: SeenEvent | undefined;
}

/** `patch` carries the whole event too: it may have expired on the server and has to be created again. */
export type EventDecision =
  | { readonly type: "create"; readonly event: Draft<Event> }
  | { readonly type: "patch"; readonly event: Draft<Event>; readonly body: JsonObject }
  | { readonly type: "drop" };

/** Decides what becomes of a note, and what to remember: a function of its arguments alone. */
export function correlateEvent(
  history: EventHistory,
  sighting: ObservedEvent,
  now: Instant,
): { readonly decision: EventDecision; readonly history: EventHistory } {
  const { combine, similar } = aggregateSimilar(history.similar, sighting.draft.message, now);
  const { allowed, fullAt } = takeToken(history.fullAt, now);
  const unseen: SeenEvent = { name: sighting.name, count: 0, firstAt: now, written: false };
  const earlier = (combine ? history.aggregate : history.single) ?? unseen;
  const seen = { ...earlier, count: earlier.count + 1, written: allowed || earlier.written };
  const message = combine
    ? `(combined from similar events): ${sighting.draft.message}`
    : sighting.draft.message;
  const event = eventOf(sighting, seen, { message, now });
  return {
    decision: allowed ? writing(event, earlier) : { type: "drop" },
    history: { ...history, similar, fullAt, [combine ? "aggregate" : "single"]: seen },
  };
}

function writing(event: Draft<Event>, earlier: SeenEvent): EventDecision {
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
    // Events of objects without a namespace live in `default`.
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
