import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { Client, WatchEvent, WatchQuery } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";

/** One watch, being read. */
export interface Stream<T> {
  next(): Promise<IteratorResult<WatchEvent<T>>>;
  /** Lets go of the connection, whether or not it has ended. */
  close(): void;
}

/** How long after its deadline a stream may still end by itself. */
const graceMs = 30_000;

export interface StreamOptions<T extends StoredObject> {
  readonly client: Client;
  readonly clock: Clock;
  readonly resource: Resource<T>;
  readonly query: WatchQuery & { readonly timeoutSeconds: number };
}

/** Opens a watch that is given up when it outlives its deadline: a peer that vanished never ends a stream. */
export function openStream<T extends StoredObject>(
  { client, clock, resource, query }: StreamOptions<T>,
  signal: AbortSignal,
): Stream<T> {
  const connection = new AbortController();
  const hangUp = () => connection.abort(signal.reason);
  signal.addEventListener("abort", hangUp, { once: true });
  const overdue = clock.after(query.timeoutSeconds * 1000 + graceMs, () =>
    connection.abort(new Error("the watch did not end when its time was up")),
  );
  const events = client.watch(resource, query, connection.signal)[Symbol.asyncIterator]();
  return {
    next: () => events.next(),
    close: () => {
      overdue.cancel();
      signal.removeEventListener("abort", hangUp);
      connection.abort();
    },
  };
}
