import { type ClusterEvent, eventName } from "../../decisions/placement/cluster-event.ts";

/**
 * What happened while a Pod was being tried: a no that was worked out before an event must not outlive it. The log is
 * shared, and kept no longer than somebody needs it. As long as an attempt is one turn of the event loop nothing can
 * happen meanwhile, and it stays empty; the queue does not count on that.
 */
export class InFlightEvents {
  readonly #begunAt = new Map<string, number>();
  readonly #counted: (event: string, by: number) => void;
  #log: ClusterEvent[] = [];

  /** Says of every event that it is kept, and that it no longer is. */
  constructor(counted: (event: string, by: number) => void) {
    this.#counted = counted;
  }

  has(uid: string): boolean {
    return this.#begunAt.has(uid);
  }

  begin(uid: string): void {
    this.#begunAt.set(uid, this.#log.length);
  }

  record(event: ClusterEvent): void {
    if (this.#begunAt.size === 0) return;
    this.#log.push(event);
    this.#counted(eventName(event), 1);
  }

  /** Ends the attempt of a Pod, and says what has happened since it began. */
  end(uid: string): readonly ClusterEvent[] {
    const missed = this.#log.slice(this.#begunAt.get(uid) ?? this.#log.length);
    this.#begunAt.delete(uid);
    if (this.#begunAt.size === 0) {
      for (const event of this.#log) this.#counted(eventName(event), -1);
      this.#log = [];
    }
    return missed;
  }
}
