import { expectManyListeners } from "../machinery/abort/many-listeners.ts";
import type { StoredObject } from "../api/object.ts";
import { ApiError } from "../machinery/client/api-error.ts";
import type { WatchEvent } from "../machinery/client/client.ts";
import type { ApiResponse } from "./apiserver/request/api-response.ts";
import type { ServedWatchEvent } from "./apiserver/watch/served-watch-event.ts";

/** How many events are taken from a stream at a time. */
const batchSize = 500;

/** Yields the events of a watch as the Client returns them; the watch is opened at the first read. */
export async function* inProcessWatchEvents<T extends StoredObject>(
  open: () => Promise<ApiResponse>,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const response = await open();
  if (response.kind !== "watch") throw new Error(`a watch was answered with a ${response.kind}`);
  const { stream } = response;
  const stop = () => stream.end();
  expectManyListeners(signal); // one signal may end many watches
  signal.addEventListener("abort", stop, { once: true });
  try {
    while (!stream.ended || stream.hasPending) {
      await stream.ready();
      for (const item of stream.take(batchSize)) {
        signal.throwIfAborted();
        yield eventOf<T>(item);
      }
      signal.throwIfAborted();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stream.end();
  }
}

function eventOf<T extends StoredObject>(item: ServedWatchEvent): WatchEvent<T> {
  switch (item.type) {
    case "BOOKMARK":
      return {
        type: item.type,
        resourceVersion: String(item.revision),
        initialEventsEnd: item.initialEventsEnd,
      };
    case "ERROR":
      throw new ApiError(item.status);
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return { type: item.type, object: item.item.object as unknown as T };
  }
}
