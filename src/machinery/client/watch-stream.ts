import type { StoredObject } from "../../api/object.ts";
import type { WatchEvent } from "./client.ts";
import { LineSplitter } from "./line-splitter.ts";
import { parseWatchEvent } from "./watch-event.ts";

// Far beyond the largest object an API server takes.
const longestLine = 64 * 1024 * 1024;

/** The bytes of a watch; destroying them ends the connection. */
export type WatchBody = AsyncIterable<Uint8Array> & { destroy(): unknown };

/**
 * Reads a watch as its consumer asks for events, no faster: what is not asked for stays in the socket, and the
 * server notices. Failures of the connection pass through `failure`; leaving the loop early ends the connection.
 */
export async function* readWatchEvents<T extends StoredObject>(
  body: WatchBody,
  failure: (error: unknown) => unknown,
): AsyncGenerator<WatchEvent<T>> {
  const lines = new LineSplitter(longestLine);
  try {
    for await (const chunk of body) for (const line of lines.push(chunk)) yield parseWatchEvent<T>(line);
    const last = lines.rest();
    if (last !== "") yield parseWatchEvent<T>(last);
  } catch (error) {
    throw failure(error);
  } finally {
    body.destroy();
  }
}
