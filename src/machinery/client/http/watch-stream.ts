import type { StoredObject } from "../../../api/object.ts";
import type { WatchEvent } from "../client.ts";
import { LineSplitter } from "./line-splitter.ts";
import { parseWatchEvent, type WatchParsing } from "./parse-watch-event.ts";

// Far larger than any object an API server accepts.
const longestLine = 64 * 1024 * 1024;

/** The body of a watch; destroying it closes the connection. */
export type WatchBody = AsyncIterable<Uint8Array> & { destroy(): unknown };

export interface WatchReading extends WatchParsing {
  /** What to throw for an error of the connection. */
  readonly failure: (error: unknown) => unknown;
}

/**
 * Reads a watch only as fast as its consumer, so that backpressure reaches the server; leaving the loop early closes the
 * connection.
 */
export async function* readWatchEvents<T extends StoredObject>(
  body: WatchBody,
  { failure, ...parsing }: WatchReading,
): AsyncGenerator<WatchEvent<T>> {
  const lines = new LineSplitter(longestLine);
  try {
    for await (const chunk of body)
      for (const line of lines.push(chunk)) yield parseWatchEvent<T>(line, parsing);
    const last = lines.rest();
    if (last !== "") yield parseWatchEvent<T>(last, parsing);
  } catch (error) {
    throw failure(error);
  } finally {
    body.destroy();
  }
}
