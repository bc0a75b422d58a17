import type { Instant } from "../../api/time.ts";
import type { SimilarEvents } from "./combine-similar.ts";
import {
  decideEvent,
  type EventDecision,
  type EventHistory,
  type SeenEvent,
  type Sighting,
} from "./decide-event.ts";
import { RecentlyUsed } from "./recently-used.ts";

// upstream: events_cache.go, maxLruCacheEntries
const capacity = 4096;

/** Under what the parts of a note's history are remembered. */
interface Keys {
  readonly object: string;
  readonly group: string;
  readonly message: string;
}

/** Remembers what the last few thousand notes were about. */
export class EventMemory {
  readonly #similar = new RecentlyUsed<SimilarEvents>(capacity);
  readonly #buckets = new RecentlyUsed<Instant>(capacity);
  // A combined event is found by its group, any other by its message: one memory holds both.
  readonly #seen = new RecentlyUsed<SeenEvent>(capacity);

  /** What becomes of a note, given those before it. */
  decide(sighting: Sighting, now: Instant): EventDecision {
    const keys = keysOf(sighting);
    const { decision, history } = decideEvent(this.#recall(keys), sighting, now);
    this.#keep(keys, history);
    return decision;
  }

  #recall(keys: Keys): EventHistory {
    return {
      similar: this.#similar.get(keys.group),
      fullAt: this.#buckets.get(keys.object),
      alone: this.#seen.get(keys.message),
      combined: this.#seen.get(keys.group),
    };
  }

  #keep(keys: Keys, { similar, fullAt, alone, combined }: EventHistory): void {
    if (similar !== undefined) this.#similar.set(keys.group, similar);
    if (fullAt !== undefined) this.#buckets.set(keys.object, fullAt);
    if (alone !== undefined) this.#seen.set(keys.message, alone);
    if (combined !== undefined) this.#seen.set(keys.group, combined);
  }
}

function keysOf({ note, source }: Sighting): Keys {
  const { apiVersion, kind, namespace, name, uid, fieldPath } = note.regarding;
  const object = [source.component, source.host, apiVersion, kind, namespace, name, uid];
  const group = [...object, note.type, note.reason];
  return {
    object: JSON.stringify(object),
    group: JSON.stringify(group),
    message: JSON.stringify([...group, fieldPath, note.message]),
  };
}
