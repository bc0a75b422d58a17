import type { ServerResponse } from "node:http";
import type { Clock } from "../../../../machinery/clock/clock.ts";
import { yieldIfDue } from "../../../../machinery/clock/run-in-steps.ts";
import { waitForDrain } from "../../../../machinery/https-server/wait-for-drain.ts";

/** How much is written before the client has read what was written before: the memory that a slow client takes. */
export const sliceBytes: number = 64 * 1024;
const maxBufferedChunks = 512;
/** Less than a socket buffers before it waits to be drained. */
const lastBytes = 1024;
const noBytes = new Uint8Array();

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

  /** Takes what was not written yet. */
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

  /**
   * Writes the buffer and ends the response. Its last bytes are few and written when the socket has taken all others: a
   * client that has the whole response may send its next request, and while the socket waits to be drained Node's parser
   * fails on that ("Parse Error: Paused").
   */
  async end(): Promise<void> {
    const chunks = this.take();
    const last = chunks.at(-1) ?? noBytes;
    const cut = Math.max(0, last.byteLength - lastBytes);
    this.add(...chunks.slice(0, -1), last.subarray(0, cut));
    if (await this.flush()) this.#response.end(last.subarray(cut));
  }

  async #write(slice: Uint8Array): Promise<boolean> {
    if (slice.byteLength > 0) this.#response.write(slice);
    await yieldIfDue(this.#clock);
    return waitForDrain(this.#response, this.#clock);
  }
}

/** The chunks in order, at least one slice: small ones copied together, large ones as views, which all clients share. */
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
