import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { Client, ListQuery, ListResult, WatchEvent } from "../client/client.ts";
import { type Clock, elapsedMs, networkClock } from "../clock/clock.ts";
import type { Random } from "../random/random.ts";
import { step } from "./list-watch.ts";
import {
  initialState,
  type Listing,
  type ListWatchEvent,
  type ListWatchOutput,
  type ListWatchState,
  type Watching,
  type WatchListing,
} from "./list-watch-state.ts";
import { openStream, type Stream } from "./open-stream.ts";

/** Which part of a collection is watched. */
export type Scope = Pick<ListQuery, "namespace" | "labelSelector" | "fieldSelector">;

export interface ListWatchOptions<T extends StoredObject> {
  readonly client: Pick<Client, "list" | "watch">;
  readonly resource: Resource<T>;
  readonly scope?: Scope | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Called synchronously and in order, and waited for if it returns a promise; an exception ends the run. */
  readonly sink: (output: ListWatchOutput<T>) => Promise<void> | undefined;
  /** Called for every failure, after which the machine continues by itself. */
  readonly failed?: ((error: unknown) => void) | undefined;
  /** Called when the server refused a streamed list, which is listed in pages instead. */
  readonly streamRefused?: ((error: unknown) => void) | undefined;
}

/** Lists and watches a collection for the sink until the signal aborts. */
export function runListWatch<T extends StoredObject>(
  options: ListWatchOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  return new Driver(options, signal).run();
}

const pageSize = 500;
/** Controllers do not look at managed fields, and a write without them leaves them as they are. */
const trimmed = { withoutManagedFields: true } as const;
/** Streams are reopened after five to ten minutes, at different times, as in client-go. */
const shortestWatchSeconds = 300;

/** Performs the request that the state calls for and feeds the result to the machine. */
class Driver<T extends StoredObject> {
  readonly #options: ListWatchOptions<T>;
  readonly #signal: AbortSignal;
  #state: ListWatchState = initialState;

  constructor(options: ListWatchOptions<T>, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      switch (this.#state.phase) {
        case "backing-off":
          await this.#rest(this.#state.delayMs);
          break;
        case "listing":
          await this.#list(this.#state);
          break;
        case "watch-listing":
        case "watching":
          await this.#follow(this.#state);
          break;
      }
    }
  }

  async #rest(delayMs: number): Promise<void> {
    // The server needs its rest in wall time: by the cluster's, a paused clock would leave the collection unwatched.
    const clock = networkClock(this.#options.clock);
    // Only an abort ends a sleep early, and after an abort nothing is fed.
    await clock.sleep(delayMs, this.#signal).catch(() => undefined);
    await this.#feed({ type: "rested" });
  }

  async #list(state: Listing): Promise<void> {
    const { client, resource, scope } = this.#options;
    const limit = state.paged ? pageSize : undefined;
    let page: ListResult<T>;
    try {
      const query = { ...scope, ...trimmed, limit, continue: state.continue };
      page = await client.list(resource, query, this.#signal);
    } catch (error) {
      return this.#fail(error);
    }
    await this.#feed({ type: "page", page });
  }

  async #follow(state: WatchListing | Watching): Promise<void> {
    const { clock, random } = this.#options;
    const openedAt = elapsedMs(networkClock(clock));
    const stream = this.#open(state);
    try {
      while (this.#isStreaming()) {
        let result: IteratorResult<WatchEvent<T>>;
        try {
          result = await stream.next();
        } catch (error) {
          return await this.#fail(error);
        }
        if (result.done === true) {
          const lastedMs = elapsedMs(networkClock(clock)) - openedAt;
          await this.#feed({ type: "ended", lastedMs, jitter: random.next() });
          return;
        }
        const applied = this.#feed({ type: "watched", event: result.value }) ?? clock.yieldToEventLoop?.();
        if (applied !== undefined) await applied;
      }
    } finally {
      await stream.close();
    }
  }

  #open(state: WatchListing | Watching): Stream<T> {
    const { scope, random } = this.#options;
    const timeoutSeconds = Math.ceil(shortestWatchSeconds * (1 + random.next()));
    const start =
      state.phase === "watching"
        ? { resourceVersion: state.resourceVersion }
        : ({ sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" } as const);
    const query = { ...scope, ...start, ...trimmed, allowWatchBookmarks: true, timeoutSeconds };
    return openStream({ ...this.#options, query }, this.#signal);
  }

  #isStreaming(): boolean {
    const { phase } = this.#state;
    return (phase === "watching" || phase === "watch-listing") && !this.#signal.aborted;
  }

  async #fail(error: unknown): Promise<void> {
    if (this.#signal.aborted) return;
    const { failed, streamRefused, random } = this.#options;
    const wasStreaming = this.#state.phase === "watch-listing";
    const applied = this.#feed({ type: "failed", error, jitter: random.next() });
    const isRefusal = wasStreaming && this.#state.phase === "listing";
    (isRefusal ? streamRefused : failed)?.(error);
    await applied;
  }

  // The sink is never called inside the try blocks above: an exception of it is a bug, not a failed watch.
  #feed(event: ListWatchEvent<T>): Promise<void> | undefined {
    if (this.#signal.aborted) return undefined;
    const [state, outputs] = step(this.#state, event);
    this.#state = state;
    let applied: Promise<void> | undefined;
    // Only the last output, which replaces the objects, can take time.
    for (const output of outputs) applied = this.#options.sink(output);
    return applied;
  }
}
