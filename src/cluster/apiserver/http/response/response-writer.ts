import type { ServerResponse } from "node:http";
import type { Clock } from "../../../../machinery/clock/clock.ts";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

const maxBufferedBytes = 512 * 1024;
const maxBufferedChunks = 512;

/** Gathers pieces of a long answer into writes that are neither many nor large, and lets others have their turn between them. */
export class ResponseWriter {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
  }

  add(...pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) {
      this.#pieces.push(piece);
      this.#bytes += piece.byteLength;
    }
  }

  /** Whether it is time to flush. */
  get isFull(): boolean {
    return this.#bytes >= maxBufferedBytes || this.#pieces.length >= maxBufferedChunks;
  }

  /** Writes what was gathered; resolves when there is room for more, with `false` when the client is gone. */
  async flush(): Promise<boolean> {
    if (this.#pieces.length > 0) this.#response.write(Buffer.concat(this.#pieces, this.#bytes));
    this.#pieces = [];
    this.#bytes = 0;
    await yieldToEventLoop();
    return waitForDrain(this.#response, this.#clock);
  }
}

/** How long a client may take to read what it was sent. */
const drainTimeoutMs = 30_000;

/**
 * Waits until what was written is on its way; `false` when the client is gone. One that does not read is cut off:
 * what it does not take would pile up here.
 */
function waitForDrain(response: ServerResponse, clock: Clock): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  if (!response.writableNeedDrain) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = clock.after(drainTimeoutMs, () => response.destroy());
    const settle = (isAlive: boolean) => {
      timer.cancel();
      response.off("drain", onDrain);
      response.off("close", onClose);
      resolve(isAlive);
    };
    const onDrain = () => settle(true);
    const onClose = () => settle(false);
    response.on("drain", onDrain);
    response.on("close", onClose);
  });
}
