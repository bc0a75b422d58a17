import type { ServerResponse } from "node:http";
import type { Clock } from "../../../../machinery/clock/clock.ts";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

/** How much is written before the client has read what was written before: the memory that a slow client takes. */
export const sliceBytes: number = 64 * 1024;
const maxBufferedChunks = 512;

/** Writes a long response in slices; between them the event loop serves other requests. */
export class ResponseWriter {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
  }

  add(...chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) {
      this.#chunks.push(chunk);
      this.#bytes += chunk.byteLength;
    }
  }

  /** Whether the buffer should be flushed. */
  get isFull(): boolean {
    return this.#bytes >= sliceBytes || this.#chunks.length >= maxBufferedChunks;
  }

  /** Takes what was not flushed yet. */
  take(): Uint8Array {
    const bytes = Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [];
    this.#bytes = 0;
    return bytes;
  }

  /** Writes the buffer; resolves when the socket takes more, with `false` when the client has disconnected. */
  async flush(): Promise<boolean> {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    for (const slice of slicesOf(chunks)) {
      if (slice.byteLength > 0) this.#response.write(slice);
      await yieldToEventLoop();
      if (!(await waitForDrain(this.#response, this.#clock))) return false;
    }
    return true;
  }
}

/** The chunks in order, at least one slice: small ones copied together, large ones as views, which all clients share. */
function* slicesOf(chunks: readonly Uint8Array[]): Iterable<Uint8Array> {
  let small: Uint8Array[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    if (bytes + chunk.byteLength > sliceBytes && bytes > 0) {
      yield Buffer.concat(small, bytes);
      small = [];
      bytes = 0;
    }
    let rest = chunk;
    for (; rest.byteLength > sliceBytes; rest = rest.subarray(sliceBytes)) yield rest.subarray(0, sliceBytes);
    small.push(rest);
    bytes += rest.byteLength;
  }
  yield Buffer.concat(small, bytes);
}

/** How long a client may take to read what was written. */
const drainTimeoutMs = 30_000;

/**
 * Waits until the socket has taken what was written; `false` when the client has disconnected. A client that does not
 * read is disconnected, since what it does not read stays in memory.
 */
function waitForDrain(response: ServerResponse, clock: Clock): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  if (!response.writableNeedDrain) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = clock.after(drainTimeoutMs, () => response.destroy());
    const settle = (isConnected: boolean) => {
      timer.cancel();
      response.off("drain", onDrain);
      response.off("close", onClose);
      resolve(isConnected);
    };
    const onDrain = () => settle(true);
    const onClose = () => settle(false);
    response.on("drain", onDrain);
    response.on("close", onClose);
  });
}
