import type { WatchEvents } from "./watch-stream.ts";

/** The watches of a server that are open, so that all can be ended at once, as when every connection breaks. */
export class OpenWatches {
  #streams: WatchEvents[] = [];
  /** How many there are when those that have ended are left out. */
  #sweepAt = 64;

  add(stream: WatchEvents): void {
    this.#streams.push(stream);
    if (this.#streams.length < this.#sweepAt) return;
    this.#streams = this.#streams.filter(({ ended }) => !ended);
    this.#sweepAt = Math.max(64, 2 * this.#streams.length);
  }

  /** Ends every open watch; clients watch again. Returns how many there were. */
  endAll(): number {
    const open = this.#streams.filter(({ ended }) => !ended);
    this.#streams = [];
    for (const stream of open) stream.end();
    return open.length;
  }
}
