export interface ConcurrencyLimits {
  readonly total: number;
  /** Of the slots that have the same key. */
  readonly perKey: number;
}

interface Waiter {
  readonly key: string;
  readonly admit: () => void;
}

/** A semaphore with a total limit and a limit per key. Waiters are served in order, past those whose key is full. */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #acquired = new Map<string, number>();
  #total = 0;
  readonly #waiters = new Set<Waiter>();

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** Resolves with a function that releases the slot, or with `undefined` if the signal aborts first. */
  acquire(key: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#waiters.delete(waiter);
        resolve(undefined);
      };
      const admit = () => {
        this.#waiters.delete(waiter);
        signal.removeEventListener("abort", giveUp);
        this.#count(key, 1);
        resolve(() => this.#release(key));
      };
      const waiter = { key, admit };
      if (signal.aborted) giveUp();
      else if (this.#hasCapacityFor(key)) admit();
      else {
        this.#waiters.add(waiter);
        signal.addEventListener("abort", giveUp, { once: true });
      }
    });
  }

  #hasCapacityFor(key: string): boolean {
    const { total, perKey } = this.#limits;
    return this.#total < total && (this.#acquired.get(key) ?? 0) < perKey;
  }

  #count(key: string, by: 1 | -1): void {
    this.#total += by;
    const acquired = (this.#acquired.get(key) ?? 0) + by;
    if (acquired === 0) this.#acquired.delete(key);
    else this.#acquired.set(key, acquired);
  }

  #release(key: string): void {
    this.#count(key, -1);
    for (const { key: next, admit } of this.#waiters) {
      if (!this.#hasCapacityFor(next)) continue;
      admit();
      return;
    }
  }
}
