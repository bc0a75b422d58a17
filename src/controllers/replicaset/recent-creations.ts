import { keyOf } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { Clock } from "../../machinery/clock/clock.ts";

/** Pods that are missing so soon after some were made are probably taken away as fast as they are made. */
const soonMs = 10_000;

/** Knows for whom Pods were made a moment ago. */
export class RecentCreations {
  readonly #clock: Clock;
  /** By the key of the owner. */
  readonly #latest = new Map<string, { readonly uid: string; readonly at: Instant }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes note that Pods are made; whether that was so a moment ago as well. */
  isAgain(owner: ReplicaOwner): boolean {
    const { uid } = owner.metadata;
    const key = keyOf(owner);
    const at = this.#clock.now();
    const last = this.#latest.get(key);
    this.#latest.set(key, { uid, at });
    return last?.uid === uid && at - last.at < soonMs;
  }

  forget(key: string): void {
    this.#latest.delete(key);
  }
}
