import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../../../machinery/clock/clock.ts";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

const maxBufferedBytes = 512 * 1024;
const maxBufferedChunks = 512;

/** Buffers the chunks of a long response into few writes of limited size; between them the event loop serves other requests. */
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
    return this.#bytes >= maxBufferedBytes || this.#chunks.length >= maxBufferedChunks;
  }

  /** Writes the buffer; resolves when the socket takes more, with `false` when the client has disconnected. */
  async flush(): Promise<boolean> {
    if (this.#chunks.length > 0) this.#response.write(Buffer.concat(this.#chunks, this.#bytes));
    this.#chunks = [];
    this.#bytes = 0;
    await yieldToEventLoop();
    return waitForDrain(this.#response, this.#clock);
  }
}

/** How long a client may take to read what was written. */
const drainTimeoutMs = 30_000;

/**
 * Waits until the socket has taken what was written; `false` when the client has disconnected. A client that does not
 * read is disconnected, since what it does not read stays in memory.
 */
export function waitForDrain(response: ServerResponse | Socket, clock: Clock): Promise<boolean> {
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
