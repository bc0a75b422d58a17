import { keyOf } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { Clock } from "../../machinery/clock/clock.ts";

/** Pods that are missing again so soon after some were created are probably deleted as fast as they are created. */
const repeatedWithinMs = 10_000;

/** Knows for which owners Pods were created a short time ago. */
export class RecentCreations {
  readonly #clock: Clock;
  /** By the key of the owner. */
  readonly #latest = new Map<string, { readonly uid: string; readonly at: Instant }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records that Pods are created now, and returns whether some were a short time ago as well. */
  isRepeated(owner: ReplicaOwner): boolean {
    const { uid } = owner.metadata;
    const key = keyOf(owner);
    const at = this.#clock.now();
    const last = this.#latest.get(key);
    this.#latest.set(key, { uid, at });
    return last?.uid === uid && at - last.at < repeatedWithinMs;
  }

  forget(key: string): void {
    this.#latest.delete(key);
  }
}
