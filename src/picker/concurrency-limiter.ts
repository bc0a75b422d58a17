/** How many calls may be under way. */
export interface ConcurrencyLimits {
  readonly total: number;
  readonly perHost: number;
}

interface Waiting {
  readonly host: string;
  readonly enter: () => void;
}

/** Lets so many in at a time, and so many to one host; the others wait in the order they came. */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #taken = new Map<string, number>();
  #total = 0;
  readonly #waiting = new Set<Waiting>();

  constructor(limits: ConcurrencyLimits = { total: 50, perHost: 10 }) {
    this.#limits = limits;
  }

  /** Resolves with what gives the slot back; with `undefined` when the signal aborts first. */
  acquire(host: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#waiting.delete(waiting);
        resolve(undefined);
      };
      const enter = () => {
        this.#waiting.delete(waiting);
        signal.removeEventListener("abort", giveUp);
        this.#count(host, 1);
        resolve(() => this.#leave(host));
      };
      const waiting = { host, enter };
      if (signal.aborted) giveUp();
      else if (this.#hasRoomFor(host)) enter();
      else {
        this.#waiting.add(waiting);
        signal.addEventListener("abort", giveUp, { once: true });
      }
    });
  }

  #hasRoomFor(host: string): boolean {
    const { total, perHost } = this.#limits;
    return this.#total < total && (this.#taken.get(host) ?? 0) < perHost;
  }

  #count(host: string, by: 1 | -1): void {
    this.#total += by;
    const taken = (this.#taken.get(host) ?? 0) + by;
    if (taken === 0) this.#taken.delete(host);
    else this.#taken.set(host, taken);
  }

  #leave(host: string): void {
    this.#count(host, -1);
    for (const { host: next, enter } of this.#waiting) {
      if (!this.#hasRoomFor(next)) continue;
      enter();
      return;
    }
  }
}
