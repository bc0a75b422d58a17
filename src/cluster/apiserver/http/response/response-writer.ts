import type { ServerResponse } from "node:http";
import type { Clock } from "../../../../machinery/clock/clock.ts";
import { yieldIfDue } from "../../../../machinery/clock/run-in-steps.ts";
import { waitForDrain } from "../../../../machinery/https-server/wait-for-drain.ts";

/** How much is written before the client has read the previous part; limits the memory that a slow client takes. */
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

  /** Reports whether the buffer should be flushed. */
  get isFull(): boolean {
    return this.#bytes >= sliceBytes || this.#chunks.length >= maxBufferedChunks;
  }

  /** Takes the chunks that were not written yet. */
  take(): readonly Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    return chunks;
  }

  /** Writes the buffer; resolves when the socket takes more, with `false` when the client has disconnected. */
  async flush(): Promise<boolean> {
    for (const slice of slicesOf(this.take())) if (!(await this.#write(slice))) return false;
    return true;
  }

  /** Writes the buffer and ends the response. */
  async end(): Promise<void> {
    if (await this.flush()) this.#response.end();
  }

  async #write(slice: Uint8Array): Promise<boolean> {
    if (slice.byteLength > 0) this.#response.write(slice);
    await yieldIfDue(this.#clock);
    return waitForDrain(this.#response, this.#clock);
  }
}

/**
 * Yields the chunks in order, as at least one slice: small chunks are copied together, large ones are cut into views,
 * which all clients share.
 */
export function* slicesOf(chunks: readonly Uint8Array[]): Iterable<Uint8Array> {
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
