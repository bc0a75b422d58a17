import type { Instant } from "../../api/time.ts";
import type { Clock, Timer } from "../../machinery/clock/clock.ts";

/** Runs a task at the next of the instants it is asked for, and then asks again. */
export class WakeUp {
  readonly #clock: Clock;
  readonly #nextAt: () => Instant | undefined;
  readonly #ring: () => void;
  #armed: { readonly at: Instant; readonly timer: Timer } | undefined;
  #stopped = false;

  constructor(clock: Clock, nextAt: () => Instant | undefined, ring: () => void) {
    this.#clock = clock;
    this.#nextAt = nextAt;
    this.#ring = ring;
  }

  /** To be called when the next instant may have changed. */
  set(): void {
    const at = this.#stopped ? undefined : this.#nextAt();
    if (at === this.#armed?.at) return;
    this.#armed?.timer.cancel();
    this.#armed = at === undefined ? undefined : { at, timer: this.#arm(at) };
  }

  stop(): void {
    this.#stopped = true;
    this.set();
  }

  #arm(at: Instant): Timer {
    return this.#clock.after(at - this.#clock.now(), () => {
      this.#armed = undefined;
      this.#ring();
      this.set();
    });
  }
}
