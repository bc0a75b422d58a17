import type { Instant } from "../api/time.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";

/** A virtual clock whose wall time can be set, as the administrator of a machine does; timers do not notice. */
export class ResettableClock extends VirtualClock {
  #offsetMs = 0;

  override now(): Instant {
    return super.now() + this.#offsetMs;
  }

  elapsed(): number {
    return super.now();
  }

  /** Sets the wall time back, or forward where it is negative. */
  setBack(durationMs: number): void {
    this.#offsetMs -= durationMs;
  }
}
