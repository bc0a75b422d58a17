import { setMaxListeners } from "node:events";
import type { Clock, Timer } from "../../clock/clock.ts";

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Aborts together with this signal, for the same reason. */
  readonly parent?: AbortSignal | undefined;
  /** What did not happen in time, to be shown before "within 30 s". */
  readonly missed: string;
}

/** An abort signal that follows another and also aborts after a timeout. Must be released. */
export class Deadline {
  readonly #options: DeadlineOptions;
  readonly #controller = new AbortController();
  #timer: Timer | undefined;
  readonly #follow: () => void;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#follow = () => this.#controller.abort(options.parent?.reason);
    if (options.parent !== undefined) this.#followFrom(options.parent);
    this.restart();
  }

  #followFrom(parent: AbortSignal): void {
    // Hundreds of requests with one signal are no leak: each removes its listener when it ends.
    setMaxListeners(0, parent);
    if (parent.aborted) this.#follow();
    else parent.addEventListener("abort", this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the timeout until `restart`. */
  pause(): void {
    this.#timer?.cancel();
  }

  /** Starts the timeout again from now. */
  restart(timeoutMs = this.#options.timeoutMs): void {
    this.pause();
    const { clock, missed } = this.#options;
    this.#timer = clock.after(timeoutMs, () =>
      this.#controller.abort(new Error(`${missed} within ${timeoutMs / 1000} s`)),
    );
  }

  /** Stops the timeout and no longer follows the parent. */
  release(): void {
    this.pause();
    this.#options.parent?.removeEventListener("abort", this.#follow);
  }
}
