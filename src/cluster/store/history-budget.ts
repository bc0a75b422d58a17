/** How much memory the histories of one store keep alive together by default. */
export const defaultHistoryBytes: number = 256 * 2 ** 20;

/** A history whose memory is counted. */
interface CountedHistory {
  readonly bytes: number;
  dropOldest(): void;
}

/** Limits the memory of all histories of a store: beyond the limit the largest history drops its oldest events. */
export class HistoryBudget {
  readonly #maxBytes: number;
  readonly #histories: CountedHistory[] = [];
  // Invariant: the sum of the histories' bytes.
  #bytes = 0;

  constructor(maxBytes: number = defaultHistoryBytes) {
    this.#maxBytes = maxBytes;
  }

  join(history: CountedHistory): void {
    this.#histories.push(history);
  }

  /** Counts bytes that a history has added or, if negative, dropped; an addition may make histories drop events. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (bytes < 0) return;
    while (this.#bytes > this.#maxBytes) this.#largest()?.dropOldest();
  }

  #largest(): CountedHistory | undefined {
    let largest = this.#histories[0];
    for (const history of this.#histories) if (history.bytes > (largest?.bytes ?? 0)) largest = history;
    return largest;
  }
}
