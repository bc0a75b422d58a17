export interface ConcurrencyLimits {
  readonly total: number;
  readonly perHost: number;
}

interface Waiter {
  readonly host: string;
  readonly admit: () => void;
}

/** A semaphore with a total limit and a limit per host. Waiters are served in order, past those whose host is full. */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #acquired = new Map<string, number>();
  #total = 0;
  readonly #waiters = new Set<Waiter>();

  constructor(limits: ConcurrencyLimits = { total: 50, perHost: 10 }) {
    this.#limits = limits;
  }

  /** Resolves with a function that releases the slot, or with `undefined` if the signal aborts first. */
  acquire(host: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#waiters.delete(waiter);
        resolve(undefined);
      };
      const admit = () => {
        this.#waiters.delete(waiter);
        signal.removeEventListener("abort", giveUp);
        this.#count(host, 1);
        resolve(() => this.#release(host));
      };
      const waiter = { host, admit };
      if (signal.aborted) giveUp();
      else if (this.#hasCapacityFor(host)) admit();
      else {
        this.#waiters.add(waiter);
        signal.addEventListener("abort", giveUp, { once: true });
      }
    });
  }

  #hasCapacityFor(host: string): boolean {
    const { total, perHost } = this.#limits;
    return this.#total < total && (this.#acquired.get(host) ?? 0) < perHost;
  }

  #count(host: string, by: 1 | -1): void {
    this.#total += by;
    const acquired = (this.#acquired.get(host) ?? 0) + by;
    if (acquired === 0) this.#acquired.delete(host);
    else this.#acquired.set(host, acquired);
  }

  #release(host: string): void {
    this.#count(host, -1);
    for (const { host: next, admit } of this.#waiters) {
      if (!this.#hasCapacityFor(next)) continue;
      admit();
      return;
    }
  }
}
