import type { Clock, Timer } from "../../../machinery/clock/clock.ts";
import type { Collection } from "../../store/store.ts";
import type { Selection } from "../request/selection.ts";
import type { ServedResource } from "../served-resource.ts";
import { type ServedWatchEvent, toWatchEvent } from "./served-watch-event.ts";

/** How often a quiet watch is told how far the store has come. */
const bookmarkIntervalMs = 60_000;
/** A last bookmark, this long before the server ends the watch, lets the client resume without replaying. */
const lastBookmarkLeadMs = 2000;

/** What a watch is about, and for how long. */
export interface WatchStreamOptions {
  readonly collection: Collection;
  readonly resource: ServedResource;
  readonly selection: Selection;
  readonly clock: Clock;
  readonly bookmarks: boolean;
  readonly lifeMs: number;
  /** What to say before anything live. */
  readonly initial: readonly ServedWatchEvent[];
  /** Events up to this revision are part of what the watcher knows already. */
  readonly from: number;
}

/** Everything a watch says, in order, waiting to be taken; nothing is dropped or merged. */
export class WatchStream {
  readonly #options: WatchStreamOptions;
  readonly #unsubscribe: () => void;
  readonly #timers: Timer[] = [];
  #items: readonly ServedWatchEvent[];
  #live: ServedWatchEvent[] = [];
  #head = 0;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(options: WatchStreamOptions) {
    this.#options = options;
    this.#items = options.initial;
    this.#unsubscribe = options.collection.subscribe(options.selection.scope, (events) => {
      for (const event of events) {
        const item = toWatchEvent(options.resource, options.selection, event);
        if (item !== undefined) this.#live.push(item);
      }
      if (this.#live.length > 0) this.#wake?.();
    });
    this.#timers.push(options.clock.after(options.lifeMs, () => this.end()));
    if (options.bookmarks) this.#keepBookmarking();
  }

  /** What can be said now, at most `limit` of it. */
  take(limit: number): readonly ServedWatchEvent[] {
    if (this.#head >= this.#items.length) {
      this.#items = this.#live;
      this.#live = [];
      this.#head = 0;
    }
    const taken = this.#items.slice(this.#head, this.#head + limit);
    this.#head += taken.length;
    return taken;
  }

  /** How much is waiting. */
  get pending(): number {
    return this.#items.length - this.#head + this.#live.length;
  }

  /** Whether nothing will come after what is waiting. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves when something is waiting or the stream has ended. */
  ready(): Promise<void> {
    if (this.pending > 0 || this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** Stops listening; what is waiting can still be taken. */
  end(): void {
    this.#ended = true;
    this.#unsubscribe();
    for (const timer of this.#timers) timer.cancel();
    this.#wake?.();
  }

  #keepBookmarking(): void {
    const { clock, lifeMs } = this.#options;
    const tick = (): void => {
      this.#bookmark();
      this.#timers[1] = clock.after(bookmarkIntervalMs, tick);
    };
    this.#timers[1] = clock.after(bookmarkIntervalMs, tick);
    if (lifeMs > lastBookmarkLeadMs)
      this.#timers.push(clock.after(lifeMs - lastBookmarkLeadMs, () => this.#bookmark()));
  }

  #bookmark(): void {
    // Only what was handed out is behind us: an event on its way may have a smaller revision than the store has.
    const revision = Math.max(this.#options.from, this.#options.collection.deliveredRevision());
    this.#live.push({ type: "BOOKMARK", revision, initialEventsEnd: false });
    this.#wake?.();
  }
}
