import type { Deadline } from "./deadline.ts";

/**
 * Bounds how many requests are with a server at a time; more wait for their turn, in the order in which they came. A pool of
 * undici has a queue and a limit, too, but replaces connections that fail while it still gives them requests, and the time
 * that a request is in its queue cannot be told from the time that the server takes.
 */
export class RequestSlots {
  #free: number;
  /** In order of arrival. */
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Sends a request in its turn; until then the timeout of its deadline does not run. */
  async use<T>(deadline: Deadline, send: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turn(deadline);
    try {
      return await send();
    } finally {
      this.#handOver();
    }
  }

  #turn(deadline: Deadline): Promise<void> {
    deadline.throwIfAborted();
    deadline.pause();
    return new Promise((resolve, reject) => {
      const start = () => {
        deadline.onAbort(undefined);
        deadline.restart();
        resolve();
      };
      this.#waiting.add(start);
      deadline.onAbort((reason) => {
        this.#waiting.delete(start);
        reject(reason);
      });
    });
  }

  #handOver(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
