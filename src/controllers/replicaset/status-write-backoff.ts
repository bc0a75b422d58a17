import { deepEqual } from "../../api/deep-equal.ts";
import type { Instant } from "../../api/time.ts";
import type { ReplicaStatus } from "../../decisions/replicas/replica-owner.ts";
import type { Clock } from "../../machinery/clock/clock.ts";

interface StatusWrite {
  readonly status: ReplicaStatus;
  readonly at: Instant;
  /** How often in a row the same status has been written. */
  readonly times: number;
}

const firstPauseMs = 10;
const longestPauseMs = 60_000;

/**
 * Keeps two writers that see different Pods, such as two copies of the controller, from overwriting each other's status
 * without end: a status that was just written, and overwritten since, is written again after ever longer pauses.
 */
export class StatusWriteBackoff {
  readonly #clock: Clock;
  readonly #last = new Map<string, StatusWrite>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long a status has to wait; one that differs from the last one written need not. */
  waitMs(key: string, status: ReplicaStatus): number {
    const last = this.#last.get(key);
    if (last === undefined || !deepEqual(last.status, status)) return 0;
    const pauseMs = Math.min(firstPauseMs * 2 ** (last.times - 1), longestPauseMs);
    return Math.max(0, last.at + pauseMs - this.#clock.now());
  }

  recordWrite(key: string, status: ReplicaStatus): void {
    const at = this.#clock.now();
    const last = this.#last.get(key);
    const isAgain = last !== undefined && at - last.at < longestPauseMs * 2 && deepEqual(last.status, status);
    this.#last.set(key, { status, at, times: isAgain ? last.times + 1 : 1 });
  }

  forget(key: string): void {
    this.#last.delete(key);
  }
}
