import type { Instant } from "../../api/time.ts";
import type { SimilarEvents } from "./aggregate-similar.ts";
import {
  correlateEvent,
  type EventDecision,
  type EventHistory,
  type SeenEvent,
  type ObservedEvent,
} from "./correlate-event.ts";
import { LruCache } from "./lru-cache.ts";

// upstream: events_cache.go, maxLruCacheEntries
const capacity = 4096;

/** Under what the parts of a note's history are remembered. */
interface Keys {
  readonly object: string;
  readonly group: string;
  readonly message: string;
}

/** Remembers what the last few thousand notes were about. */
export class EventCorrelator {
  readonly #similar = new LruCache<SimilarEvents>(capacity);
  readonly #buckets = new LruCache<Instant>(capacity);
  // A combined event is found by its group, any other by its message: one memory holds both.
  readonly #seen = new LruCache<SeenEvent>(capacity);

  /** What becomes of a note, given those before it. */
  decide(sighting: ObservedEvent, now: Instant): EventDecision {
    const keys = keysOf(sighting);
    const { decision, history } = correlateEvent(this.#recall(keys), sighting, now);
    this.#keep(keys, history);
    return decision;
  }

  #recall(keys: Keys): EventHistory {
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

function keysOf({ draft, source }: ObservedEvent): Keys {
  const { apiVersion, kind, namespace, name, uid, fieldPath } = draft.regarding;
  const object = [source.component, source.host, apiVersion, kind, namespace, name, uid];
  const group = [...object, draft.type, draft.reason];
  return {
    object: JSON.stringify(object),
    group: JSON.stringify(group),
    message: JSON.stringify([...group, fieldPath, draft.message]),
  };
}
