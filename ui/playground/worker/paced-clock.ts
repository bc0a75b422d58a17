import type { Instant } from "../../../src/api/time.ts";
import { VirtualClock } from "../../../src/machinery/clock/virtual-clock.ts";

/** Virtual time that advances only as far as it is allowed to; a scenario that runs on it waits meanwhile. */
export class PacedClock extends VirtualClock {
  readonly start: Instant;
  #allowed: Instant;
  #wake: () => void = () => undefined;

  constructor(start?: Instant) {
    super(start);
    this.start = this.now();
    this.#allowed = this.start;
  }

  /** Whether all that was allowed has passed. */
  get isWaiting(): boolean {
    return this.now() >= this.#allowed;
  }

  /** Lets time pass up to an instant. */
  allow(until: Instant): void {
    if (until <= this.#allowed) return;
    this.#allowed = until;
    this.#wake();
  }

  override async runUntil(instant: Instant): Promise<void> {
    while (this.now() < instant) {
      await super.runUntil(Math.min(instant, this.#allowed));
      // More may have been allowed while what was due settled.
      if (this.now() < instant && this.isWaiting) await new Promise<void>((wake) => (this.#wake = wake));
    }
    await this.settle();
  }
}
