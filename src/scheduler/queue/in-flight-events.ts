import { type ClusterEvent, eventName } from "../../decisions/placement/cluster-event.ts";

/**
 * The events that happened during the attempts in flight: a rejection that was computed before an event must not
 * outlive it. The attempts share one log, which is cleared when the last of them ends. While an attempt is one turn of
 * the event loop no event can happen during it and the log stays empty; the queue does not rely on that.
 */
export class InFlightEvents {
  readonly #begunAt = new Map<string, number>();
  readonly #counted: (event: string, by: number) => void;
  #log: ClusterEvent[] = [];

  /** Reports the change in the number of events that are kept. */
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

  /** Ends the attempt of a Pod and returns the events since it began. */
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
