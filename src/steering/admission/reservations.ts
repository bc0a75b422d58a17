import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Instant } from "../../api/time.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { SizeChange } from "./size-change.ts";

/** How long an admitted size counts that is not stored yet; longer would let a forged request starve a rollout. */
const heldMs = 2000;

interface Reservation {
  readonly change: SizeChange;
  readonly size: number;
  readonly until: Instant;
}

/**
 * The sizes that were admitted a moment ago. The API server stores them after the answer: until then the next request for
 * the same Deployment would be given the same room again.
 */
export class Reservations {
  readonly #clock: Clock;
  readonly #byDeployment = new Map<string, readonly Reservation[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(deployment: string, change: SizeChange, size: number): void {
    const others = this.#of(deployment).filter(({ change: { name } }) => name !== change.name);
    const until = this.#clock.now() + heldMs;
    this.#byDeployment.delete(deployment); // to be inserted last
    this.#byDeployment.set(deployment, [...others, { change, size, until }]);
    for (const [uid, reservations] of this.#byDeployment) {
      if (reservations.some((each) => each.until > this.#clock.now())) break;
      this.#byDeployment.delete(uid);
    }
  }

  /** What counts besides the ReplicaSets that are stored; not the one that asks now. */
  besides(deployment: string, stored: readonly ReplicaSet[], asking: SizeChange) {
    const reserved = new Map<string, number>();
    let reservedForNew = 0;
    for (const { change, size } of this.#of(deployment)) {
      if (change.name === asking.name) continue;
      const known = stored.find(({ metadata }) => metadata.name === change.name);
      if (known === undefined) reservedForNew += change.uid === "" ? size : 0;
      else if (known.metadata.resourceVersion === change.resourceVersion)
        reserved.set(known.metadata.uid, size);
    }
    return { reserved, reservedForNew };
  }

  #of(deployment: string): readonly Reservation[] {
    const all = this.#byDeployment.get(deployment) ?? [];
    return all.filter(({ until }) => until > this.#clock.now());
  }
}
