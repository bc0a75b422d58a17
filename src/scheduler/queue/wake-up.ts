import type { Instant } from "../../api/time.ts";
import type { Clock, Timer } from "../../machinery/clock/clock.ts";

/** Runs a task at the instant that a function returns, and asks for the next instant after each run. */
export class WakeUp {
  readonly #clock: Clock;
  readonly #nextAt: () => Instant | undefined;
  readonly #task: () => void;
  #armed: { readonly at: Instant; readonly timer: Timer } | undefined;
  #stopped = false;

  constructor(clock: Clock, nextAt: () => Instant | undefined, task: () => void) {
    this.#clock = clock;
    this.#nextAt = nextAt;
    this.#task = task;
  }

  /** Has to be called whenever the next instant may have changed. */
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
      this.#task();
      this.set();
    });
  }
}
