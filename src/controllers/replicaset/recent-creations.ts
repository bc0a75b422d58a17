import { keyOf } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { Clock } from "../../machinery/clock/clock.ts";

/** If Pods are missing again within this time after a creation, something probably deletes them as fast as they are created. */
const soonMs = 10_000;

/** Remembers how many Pods owners had after the latest creation. */
export class RecentCreations {
  readonly #clock: Clock;
  /** By the key of the owner. */
  readonly #latest = new Map<
    string,
    { readonly uid: string; readonly at: Instant; readonly count: number }
  >();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records how many Pods an owner has, now that some were created. */
  record(owner: ReplicaOwner, count: number): void {
    this.#latest.set(keyOf(owner), { uid: owner.metadata.uid, at: this.#clock.now(), count });
  }

  /** Whether an owner has fewer Pods than a short time ago, when some were created. */
  haveVanished(owner: ReplicaOwner, count: number): boolean {
    const last = this.#latest.get(keyOf(owner));
    if (last === undefined || last.uid !== owner.metadata.uid) return false;
    return count < last.count && this.#clock.now() - last.at < soonMs;
  }

  forget(key: string): void {
    this.#latest.delete(key);
  }
}
