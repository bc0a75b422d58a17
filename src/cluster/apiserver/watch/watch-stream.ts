import { messageOf } from "../../../api/message-of.ts";
import { ApiError } from "../../../machinery/client/api-error.ts";
import type { Clock, Timer } from "../../../machinery/clock/clock.ts";
import type { Collection, StoreEvent } from "../../store/store.ts";
import type { Selection } from "../request/selection.ts";
import type { ServedResource } from "../served-resource.ts";
import { internalError } from "../status-errors.ts";
import { readAhead } from "../storage/convert-ahead.ts";
import { recordsOf, type ServedWatchEvent, toWatchEvent } from "./served-watch-event.ts";

/** How often a watch with bookmarks gets one. */
const bookmarkIntervalMs = 60_000;
/** How long before its end a watch gets the last bookmark, from which the client can resume without a replay. */
const lastBookmarkLeadMs = 2000;

/** The target and limits of a watch. */
export interface WatchStreamOptions {
  readonly collection: Collection;
  readonly resource: ServedResource;
  readonly selection: Selection;
  readonly clock: Clock;
  readonly bookmarks: boolean;
  readonly lifetimeMs: number;
  /** The events before the live ones; each is created when it is taken. */
  readonly initial: Iterable<ServedWatchEvent>;
  /** The initial events reflect the state at this revision. */
  readonly from: number;
  /** Resolves when the initial events can be made; absent: at once. */
  readonly prepared?: Promise<void> | undefined;
  /** Calls back when the resource is no longer served, until the returned function is called. */
  readonly untilRemoved?: (removed: () => void) => () => void;
}

/** How many events may be pending, and the estimated size of their objects. */
export interface PendingLimit {
  readonly events: number;
  readonly bytes: number;
}

/** The events of a watch, as responses read them. */
export interface WatchEvents {
  /** Takes pending events, at most `limit`. Throws when the response has to break off without an end. */
  take(limit: number): readonly ServedWatchEvent[];
  /** Reports whether there are events to take. */
  readonly hasPending: boolean;
  /** Reports whether no event will follow the pending ones. */
  readonly ended: boolean;
  /** Calls back once when more live events are pending than the limit; by then the stream has ended and drops them. */
  limitPending(pending: PendingLimit, exceeded: () => void): void;
  /** Resolves when an event is pending or the stream has ended. */
  ready(): Promise<void>;
  /** Unsubscribes; pending events can still be taken. */
  end(): void;
}

/** The events of a watch in order, queued until they are taken; none is dropped or merged. */
export class WatchStream implements WatchEvents {
  readonly #options: WatchStreamOptions;
  readonly #unsubscribe: () => void;
  readonly #stopAwaitingRemoval: (() => void) | undefined;
  readonly #timers: Timer[] = [];
  readonly #initial: Iterator<ServedWatchEvent>;
  /** The initial event that is taken next; absent when only live ones are left. */
  #nextInitial: ServedWatchEvent | undefined;
  #items: readonly ServedWatchEvent[] = [];
  #live: ServedWatchEvent[] = [];
  #itemBytes = 0;
  #liveBytes = 0;
  #limit: { readonly pending: PendingLimit; readonly exceeded: () => void } | undefined;
  #head = 0;
  #ended = false;
  /** Resolves when the events so far have been converted; absent while nothing has to be converted ahead. */
  #converted: Promise<void> | undefined;
  #wake: (() => void) | undefined;

  constructor(options: WatchStreamOptions) {
    this.#options = options;
    this.#initial = options.initial[Symbol.iterator]();
    if (options.prepared === undefined) this.#nextInitial = this.#readInitial();
    else this.#inTurn(options.prepared, () => (this.#nextInitial = this.#readInitial()));
    this.#unsubscribe = options.collection.subscribe(options.selection.scope, (events) => {
      const isSlow = options.resource.conversion?.ahead !== undefined;
      const converted = isSlow ? readAhead(options.resource, events.flatMap(recordsOf)) : undefined;
      const receive = () => this.#orFail(() => this.#receive(events));
      if (converted === undefined && this.#converted === undefined) receive();
      else this.#inTurn(converted, receive);
    });
    this.#stopAwaitingRemoval = options.untilRemoved?.(() => this.end());
    this.#timers.push(options.clock.after(options.lifetimeMs, () => this.end()));
    if (options.bookmarks) this.#scheduleBookmarks();
  }

  #receive(events: readonly StoreEvent[]): void {
    const { resource, selection } = this.#options;
    for (const event of events) {
      const item = toWatchEvent(resource, selection, event);
      if (item === undefined) continue;
      this.#live.push(item);
      this.#liveBytes += event.record.size;
    }
    if (this.#live.length > 0) this.#wake?.();
    this.#checkLimit();
  }

  /** Acts when objects have been converted, and all that came before. */
  #inTurn(converted: Promise<void> | undefined, act: () => void): void {
    const before = this.#converted;
    const turn = this.#afterBoth(before, converted, act);
    this.#converted = turn;
    void turn.finally(() => {
      if (this.#converted === turn) this.#converted = undefined;
      this.#wake?.();
    });
  }

  async #afterBoth(
    before: Promise<void> | undefined,
    converted: Promise<void> | undefined,
    act: () => void,
  ): Promise<void> {
    try {
      await Promise.all([before, converted]);
      if (!this.#ended) act();
    } catch (error) {
      this.#fail(error);
    }
  }

  #orFail(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends the watch with an ERROR event: an object cannot be shown in this version. */
  #fail(error: unknown): void {
    if (this.#ended) return;
    const { status } = error instanceof ApiError ? error : internalError(messageOf(error));
    this.#live.push({ type: "ERROR", status });
    this.end();
  }

  take(limit: number): readonly ServedWatchEvent[] {
    if (this.#nextInitial !== undefined) return this.#takeInitial(limit);
    if (this.#head >= this.#items.length) {
      this.#items = this.#live;
      this.#itemBytes = this.#liveBytes;
      this.#live = [];
      this.#liveBytes = 0;
      this.#head = 0;
    }
    const taken = this.#items.slice(this.#head, this.#head + limit);
    this.#head += taken.length;
    return taken;
  }

  get hasPending(): boolean {
    return this.#nextInitial !== undefined || this.#pendingLive > 0;
  }

  limitPending(pending: PendingLimit, exceeded: () => void): void {
    this.#limit = { pending, exceeded };
  }

  get ended(): boolean {
    return this.#ended;
  }

  ready(): Promise<void> {
    if (this.hasPending || this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  end(): void {
    this.#ended = true;
    this.#unsubscribe();
    this.#stopAwaitingRemoval?.();
    for (const timer of this.#timers) timer.cancel();
    this.#wake?.();
  }

  get #pendingLive(): number {
    return this.#items.length - this.#head + this.#live.length;
  }

  #takeInitial(limit: number): readonly ServedWatchEvent[] {
    const taken: ServedWatchEvent[] = [];
    while (this.#nextInitial !== undefined && taken.length < limit) {
      taken.push(this.#nextInitial);
      this.#nextInitial = this.#readInitial();
    }
    return taken;
  }

  #readInitial(): ServedWatchEvent | undefined {
    const next = this.#initial.next();
    return next.done === true ? undefined : next.value;
  }

  #checkLimit(): void {
    if (this.#limit === undefined) return;
    const { pending, exceeded } = this.#limit;
    if (this.#pendingLive <= pending.events && this.#itemBytes + this.#liveBytes <= pending.bytes) return;
    this.#limit = undefined;
    this.#nextInitial = undefined;
    this.#items = [];
    this.#live = [];
    this.#head = 0;
    this.end();
    exceeded();
  }

  #scheduleBookmarks(): void {
    const { clock, lifetimeMs } = this.#options;
    const tick = (): void => {
      this.#bookmark();
      this.#timers[1] = clock.after(bookmarkIntervalMs, tick);
    };
    this.#timers[1] = clock.after(bookmarkIntervalMs, tick);
    if (lifetimeMs > lastBookmarkLeadMs)
      this.#timers.push(clock.after(lifetimeMs - lastBookmarkLeadMs, () => this.#bookmark()));
  }

  #bookmark(): void {
    if (this.#converted !== undefined) return; // events up to the revision may still be converted
    // Not the store's revision: events up to it may not have been delivered to this stream yet.
    const revision = Math.max(this.#options.from, this.#options.collection.deliveredRevision());
    this.#live.push({ type: "BOOKMARK", revision, initialEventsEnd: false });
    this.#wake?.();
  }
}
