import type { StoredObject } from "../../../api/object.ts";
import type { WatchEvent } from "../client.ts";
import { parseWatchEvent, type WatchParsing } from "./parse-watch-event.ts";

// Far larger than any object an API server accepts.
const longestLine = 64 * 1024 * 1024;
const newline = 0x0a;

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

/**
 * Splits a stream of bytes into lines of text, wherever chunks end: a newline byte is never part of another character in
 * UTF-8, so whole lines always decode.
 */
export class LineSplitter {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #held = 0;

  /** A line longer than `limit` bytes is refused: a stream without newlines must not fill the memory. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines a chunk completes, except empty ones. */
  *push(chunk: Uint8Array): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#hold(chunk.subarray(start, end));
      const line = this.rest();
      if (line !== "") yield line;
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
  }

  /** The rest when the stream has ended: empty when it ended with a newline. */
  rest(): string {
    const [only] = this.#pieces;
    const line = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#held = 0;
    return Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString("utf8");
  }

  #hold(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.#held += piece.byteLength;
    if (this.#held > this.#limit) throw new Error(`a line is longer than ${this.#limit} bytes`);
    this.#pieces.push(piece);
  }
}
