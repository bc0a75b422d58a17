import type { ServedWatchEvent } from "../../cluster/apiserver/watch/served-watch-event.ts";
import type { PendingLimit, WatchEvents } from "../../cluster/apiserver/watch/watch-stream.ts";
import { resourceExpired } from "../../cluster/apiserver/status-errors.ts";
import type { Clock } from "../../machinery/clock/clock.ts";

/** How a watch ends before its time. */
export interface WatchEnding {
  readonly by: "cut" | "expired";
  /** How many events are delivered before it. */
  readonly afterEvents: number;
  /** Called when it ends, with the event that is not delivered, if it ends because of one. */
  readonly ended: (event: ServedWatchEvent | undefined) => void;
}

/** What happens to a watch. */
export interface WatchDisturbance {
  readonly clock: Clock;
  readonly ending: WatchEnding | undefined;
  /** Returns for how long an event is held back, and those behind it, which stay in their order. */
  readonly holdMs: (event: ServedWatchEvent) => number;
}

interface HeldEvent {
  readonly event: ServedWatchEvent;
  readonly dueAt: number;
}

/** How many events are held; the others stay with the stream, which limits how many may be pending. */
const mostHeld = 200;

/** A watch whose events are late, and which may end in their middle; it leaves out none before its end. */
export class DisturbedWatch implements WatchEvents {
  readonly #inner: WatchEvents;
  readonly #disturbance: WatchDisturbance;
  readonly #stopped = new AbortController();
  #held: HeldEvent[] = [];
  #lastDueAt = 0;
  #delivered = 0;
  #isOver = false;

  constructor(inner: WatchEvents, disturbance: WatchDisturbance) {
    this.#inner = inner;
    this.#disturbance = disturbance;
  }

  get hasPending(): boolean {
    return this.#held.length > 0 || (!this.#isOver && this.#inner.hasPending);
  }

  get ended(): boolean {
    return this.#isOver || this.#inner.ended;
  }

  limitPending(pending: PendingLimit, exceeded: () => void): void {
    this.#inner.limitPending(pending, exceeded);
  }

  async ready(): Promise<void> {
    if (this.#held.length === 0) {
      await this.#inner.ready();
      this.#hold();
    }
    const [next] = this.#held;
    if (next === undefined) return;
    const { clock } = this.#disturbance;
    const waitMs = next.dueAt - clock.now();
    if (waitMs > 0) await clock.sleep(waitMs, this.#stopped.signal).catch(() => undefined); // the client is gone
  }

  take(limit: number): readonly ServedWatchEvent[] {
    this.#hold();
    const now = this.#disturbance.clock.now();
    const firstLate = this.#held.findIndex(({ dueAt }) => dueAt > now);
    const due = this.#held.slice(0, Math.min(limit, firstLate === -1 ? this.#held.length : firstLate));
    const events = this.#untilEnding(due.map(({ event }) => event));
    // What was not delivered stays, so that the next call comes at once and finds the ending.
    this.#held = this.#isOver ? [] : this.#held.slice(events.length);
    return events;
  }

  end(): void {
    this.#inner.end();
    this.#stopped.abort(new Error("the watch has ended"));
  }

  /** Takes events of the stream, and says when each is due. */
  #hold(): void {
    const room = mostHeld - this.#held.length;
    if (this.#isOver || room <= 0 || !this.#inner.hasPending) return;
    const { clock, holdMs } = this.#disturbance;
    const now = clock.now();
    for (const event of this.#inner.take(room)) {
      this.#lastDueAt = Math.max(this.#lastDueAt, now + holdMs(event));
      this.#held.push({ event, dueAt: this.#lastDueAt });
    }
  }

  /** Returns the events before the ending; throws when the ending is a cut, and everything before it was delivered. */
  #untilEnding(events: readonly ServedWatchEvent[]): readonly ServedWatchEvent[] {
    const { ending } = this.#disturbance;
    if (ending === undefined) return events;
    const left = ending.afterEvents - this.#delivered;
    const [last] = events.slice(left);
    this.#delivered += events.length;
    if (last === undefined) return events;
    const before = events.slice(0, left);
    if (ending.by === "cut" && before.length > 0) {
      this.#delivered = ending.afterEvents; // these are sent first
      return before;
    }
    this.#isOver = true;
    ending.ended(last);
    this.end();
    if (ending.by === "cut") throw new Error("the connection of the watch is cut");
    const { status } = resourceExpired("too old resource version: the events behind it are gone");
    return [...before, { type: "ERROR", status }];
  }
}
