import type { Instant } from "../../api/time.ts";
import type { HistoryBudget } from "./history-budget.ts";
import type { StoreEvent } from "./store.ts";

/** How many events a collection keeps, within the bytes of its store's `HistoryBudget`: above `minEvents` those older than `minAgeMs` are dropped, above `maxEvents` all. */
export interface HistoryLimits {
  readonly minEvents: number;
  readonly minAgeMs: number;
  /** Whatever the age of the events. */
  readonly maxEvents: number;
}

/** Ten minutes or 20,000 events, whichever is more: clients resume from revisions that they read minutes ago. */
export const defaultHistoryLimits: HistoryLimits = {
  minEvents: 20_000,
  minAgeMs: 600_000,
  maxEvents: 200_000,
};

/** The estimated size of an event and its place in the lists. */
const eventBytes = 100;

/** The recent events of one collection, oldest first (upstream: the watch cache). */
export class History {
  readonly #limits: HistoryLimits;
  readonly #budget: HistoryBudget;
  // Invariant: the events from #head on are in revision order; #times has the time of each at the same index. Those before
  // #head are dropped.
  #events: (StoreEvent | undefined)[] = [];
  #times: Instant[] = [];
  #head = 0;
  #floor: number;

  #bytes = 0;

  constructor(oldestRevision: number, limits: HistoryLimits, budget: HistoryBudget) {
    this.#floor = oldestRevision;
    this.#limits = limits;
    this.#budget = budget;
    budget.join(this);
  }

  /** Returns the memory that only this history keeps alive: superseded and deleted objects. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The revision after which every event is kept. */
  get floor(): number {
    return this.#floor;
  }

  append(event: StoreEvent, now: Instant): void {
    this.#events.push(event);
    this.#times.push(now);
    this.#count(bytesOf(event));
    while (this.#mayDropOldest(now)) this.dropOldest();
  }

  /** Returns the events after a revision; `undefined` when some of them were dropped. */
  since(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.#floor) return undefined;
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.record.revision ?? 0) > revision) high = middle;
      else low = middle + 1;
    }
    return this.#events.slice(low) as readonly StoreEvent[];
  }

  /** Drops every event; the history begins after this revision. */
  clear(floor: number): void {
    this.#floor = floor;
    this.#events = [];
    this.#times = [];
    this.#head = 0;
    this.#count(-this.#bytes);
  }

  /** Drops the oldest event. */
  dropOldest(): void {
    const event = this.#events[this.#head];
    if (event === undefined) return;
    this.#floor = event.record.revision;
    this.#events[this.#head] = undefined; // cleared, since its objects may be large
    this.#head++;
    if (this.#head > 1024 && this.#head * 2 > this.#events.length) this.#compact();
    this.#count(-bytesOf(event));
  }

  #mayDropOldest(now: Instant): boolean {
    const count = this.#events.length - this.#head;
    if (count <= this.#limits.minEvents) return false;
    return count > this.#limits.maxEvents || now - (this.#times[this.#head] ?? now) > this.#limits.minAgeMs;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.count(bytes);
  }

  #compact(): void {
    this.#events = this.#events.slice(this.#head);
    this.#times = this.#times.slice(this.#head);
    this.#head = 0;
  }
}

/**
 * Returns the bytes of the previous record; the collection, or the content they share, keeps the new one alive anyway.
 */
function bytesOf({ previous }: StoreEvent): number {
  return eventBytes + (previous?.size ?? 0);
}
