import type { Clock } from "../../machinery/clock/clock.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";

/** Pods that are missing so soon after some were made are probably taken away as fast as they are made. */
const soonMs = 10_000;

/** Knows for whom Pods were made a moment ago. */
export class RecentCreations {
  readonly #clock: Clock;
  /** By the UID of the owner. */
  readonly #madeAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes note that Pods are made; whether that was so a moment ago as well. */
  isAgain({ metadata: { uid } }: ReplicaOwner): boolean {
    const now = this.#clock.now();
    const before = this.#madeAt.get(uid);
    this.#madeAt.set(uid, now);
    return before !== undefined && now - before < soonMs;
  }

  forget(uid: string): void {
    this.#madeAt.delete(uid);
  }
}
