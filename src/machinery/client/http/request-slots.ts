import type { Deadline } from "./deadline.ts";

/**
 * Limits how many requests are sent to a server concurrently; further requests wait in order of arrival. undici's pool
 * has a queue and a limit of its own, but it assigns requests to connections that are failing, and it does not tell how
 * long a request was queued and how long the server took.
 */
export class RequestSlots {
  #free: number;
  /** In order of arrival. */
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Sends a request when a slot is free; its deadline does not run while it waits. */
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
