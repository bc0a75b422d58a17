import type { Instant } from "../../api/time.ts";
import type { StoreEvent } from "./store.ts";

/** How many events a collection keeps: above `minEvents` those older than `minAgeMs` are dropped, above `maxEvents` all. */
export interface HistoryLimits {
  readonly minEvents: number;
  readonly minAgeMs: number;
  /** The limit of memory, whatever the age of the events. */
  readonly maxEvents: number;
}

/** Ten minutes or 20,000 events, whichever is more: clients resume from revisions that they read minutes ago. */
export const defaultHistoryLimits: HistoryLimits = {
  minEvents: 20_000,
  minAgeMs: 600_000,
  maxEvents: 200_000,
};

/** The recent events of one collection, oldest first (upstream: the watch cache). */
export class History {
  readonly #limits: HistoryLimits;
  // Invariant: the events from #head on are in revision order; #times has the time of each at the same index.
  #events: StoreEvent[] = [];
  #times: Instant[] = [];
  #head = 0;
  #floor: number;

  constructor(oldestRevision: number, limits: HistoryLimits) {
    this.#floor = oldestRevision;
    this.#limits = limits;
  }

  /** Every event after this revision is kept. */
  get floor(): number {
    return this.#floor;
  }

  append(event: StoreEvent, now: Instant): void {
    this.#events.push(event);
    this.#times.push(now);
    while (this.#mayDropOldest(now)) this.#dropOldest();
    if (this.#head > 1024 && this.#head * 2 > this.#events.length) this.#compact();
  }

  /** The events after a revision; `undefined` when some of them were dropped. */
  since(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.#floor) return undefined;
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.record.revision ?? 0) > revision) high = middle;
      else low = middle + 1;
    }
    return this.#events.slice(low);
  }

  /** Drops every event; only those after this revision will be kept. */
  clear(floor: number): void {
    this.#floor = floor;
    this.#events = [];
    this.#times = [];
    this.#head = 0;
  }

  #mayDropOldest(now: Instant): boolean {
    const count = this.#events.length - this.#head;
    if (count <= this.#limits.minEvents) return false;
    return count > this.#limits.maxEvents || now - (this.#times[this.#head] ?? now) > this.#limits.minAgeMs;
  }

  #dropOldest(): void {
    this.#floor = this.#events[this.#head]?.record.revision ?? this.#floor;
    this.#head++;
  }

  #compact(): void {
    this.#events = this.#events.slice(this.#head);
    this.#times = this.#times.slice(this.#head);
    this.#head = 0;
  }
}
