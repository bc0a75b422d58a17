import type { Instant } from "../../api/time.ts";
import {
  correlateEvent,
  type EventDecision,
  type EventHistory,
  type ObservedEvent,
  type SeenEvent,
  type SimilarEvents,
} from "./correlate-event.ts";

// upstream: events_cache.go, maxLruCacheEntries
const capacity = 4096;

/** The keys under which the history of a draft is kept. */
interface Keys {
  readonly object: string;
  readonly group: string;
  readonly message: string;
}

/** Keeps the history of recent events, and correlates each new one with it. */
export class EventCorrelator {
  readonly #similar = new LruCache<SimilarEvents>(capacity);
  readonly #buckets = new LruCache<Instant>(capacity);
  // An aggregate is found by its group, a single Event by its message: one cache holds both.
  readonly #seen = new LruCache<SeenEvent>(capacity);

  /** Decides what happens to an event, given the events before it. */
  correlate(observed: ObservedEvent, now: Instant): EventDecision {
    const keys = keysOf(observed);
    const { decision, history } = correlateEvent(this.#historyOf(keys), observed, now);
    this.#keep(keys, history);
    return decision;
  }

  #historyOf(keys: Keys): EventHistory {
    return {
      similar: this.#similar.get(keys.group),
      fullAt: this.#buckets.get(keys.object),
      single: this.#seen.get(keys.message),
      aggregate: this.#seen.get(keys.group),
    };
  }

  #keep(keys: Keys, { similar, fullAt, single, aggregate }: EventHistory): void {
    if (similar !== undefined) this.#similar.set(keys.group, similar);
    if (fullAt !== undefined) this.#buckets.set(keys.object, fullAt);
    if (single !== undefined) this.#seen.set(keys.message, single);
    if (aggregate !== undefined) this.#seen.set(keys.group, aggregate);
  }
}

const separator = "\n";

function keysOf({ draft, source }: ObservedEvent): Keys {
  const { apiVersion, kind, namespace, name, uid, fieldPath } = draft.regarding;
  // Each key continues the one before. No part but the message, which comes last, can contain what separates them.
  const { component, host } = source;
  const object = [component, host, apiVersion, kind, namespace, name, uid].join(separator);
  const group = [object, draft.type, draft.reason].join(separator);
  // Joined, not added: the keys of thousands of events are kept, see `flatText`.
  return { object, group, message: [group, fieldPath ?? "", draft.message].join(separator) };
}

/** A map of limited size that evicts the entry used least recently. */
export class LruCache<V> {
  readonly #capacity: number;
  // A Map keeps the order of insertion: the first entry is the one used least recently.
  readonly #entries = new Map<string, V>();
  // Continues where it stopped: a new iterator would skip over all deleted entries, which can be thousands.
  #oldest: Iterator<string> | undefined;
  #setsSinceEviction = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#capacity) this.#evict();
    // An idle iterator makes V8 keep every table that the map has since replaced, with its values.
    else if (++this.#setsSinceEviction > this.#capacity) this.#oldest = undefined;
  }

  #evict(): void {
    this.#setsSinceEviction = 0;
    this.#oldest ??= this.#entries.keys();
    const oldest = this.#oldest.next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }
}
