import type { ServerResponse } from "node:http";
import { type Clock, elapsedMs, type Timer } from "../machinery/clock/clock.ts";
import { waitForDrain } from "../machinery/https-server/wait-for-drain.ts";

/** How long lines are collected: one write for each of thousands of events would cost more than the events do. */
export const batchMs = 40;
/** Writes immediately once this many bytes are collected. */
const batchBytes = 64 * 1024;

/** Writes lines to a browser in batches. Writers wait for a slow browser, which bounds memory. */
export class LineBatch {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #lines: Uint8Array[] = [];
  #bytes = 0;
  #timer: Timer | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
  }

  /** Adds whole lines; resolves when more may follow, with `false` when the browser has gone. */
  add(lines: Uint8Array | string): Promise<boolean> {
    const bytes = typeof lines === "string" ? Buffer.from(lines) : lines;
    this.#lines.push(bytes);
    this.#bytes += bytes.byteLength;
    const waitMs = this.#writtenAt + batchMs - elapsedMs(this.#clock);
    if (this.#bytes >= batchBytes || waitMs <= 0) this.flush();
    else this.#timer ??= this.#clock.after(waitMs, () => this.flush());
    return waitForDrain(this.#response, this.#clock);
  }

  /** Writes the collected lines. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#bytes === 0 || this.#response.destroyed) return;
    this.#response.write(Buffer.concat(this.#lines, this.#bytes));
    this.#writtenAt = elapsedMs(this.#clock);
    this.#lines = [];
    this.#bytes = 0;
  }
}
