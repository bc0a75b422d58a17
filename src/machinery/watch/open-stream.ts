import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { Client, WatchEvent, WatchQuery } from "../client/client.ts";
import { Deadline } from "../client/http/deadline.ts";
import { type Clock, networkClock } from "../clock/clock.ts";

/** An open watch. */
export interface Stream<T> {
  next(): Promise<IteratorResult<WatchEvent<T>>>;
  /** Closes the connection, whether or not the stream has ended. */
  close(): Promise<void>;
}

/** How long after its timeout a stream may still be ended by the server. */
const graceMs = 30_000;

export interface StreamOptions<T extends StoredObject> {
  readonly client: Pick<Client, "watch">;
  readonly clock: Clock;
  readonly resource: Resource<T>;
  readonly query: WatchQuery & { readonly timeoutSeconds: number };
}

/**
 * Opens a watch that is aborted when it exceeds its timeout: a server that vanished never ends a stream. Servers end
 * watches by wall time, so the timeout is of that: a step of the cluster's time must not outrun them.
 */
export function openStream<T extends StoredObject>(
  { client, resource, query, ...options }: StreamOptions<T>,
  signal: AbortSignal,
): Stream<T> {
  const clock = networkClock(options.clock);
  const timeoutMs = query.timeoutSeconds * 1000 + graceMs;
  const deadline = new Deadline({ clock, timeoutMs, parent: signal, missed: "the watch did not end" });
  const events = client.watch(resource, query, deadline.signal)[Symbol.asyncIterator]();
  return {
    next: () => events.next(),
    async close() {
      deadline.release();
      await events.return?.();
    },
  };
}
