import { expectManyListeners } from "../../abort/many-listeners.ts";
import type { Clock, Timer } from "../../clock/clock.ts";

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Aborts together with this signal, for the same reason. */
  readonly parent?: AbortSignal | undefined;
  /** Begins the error message, before "within 30 s". */
  readonly missed: string;
}

/** Ends a request when a signal aborts, or after a timeout. Must be released. */
export class Deadline {
  readonly #options: DeadlineOptions;
  #aborted: { readonly reason: unknown } | undefined;
  /** Created when a caller asks for the signal; most requests end without one. */
  #controller: AbortController | undefined;
  #abortListener: ((reason: unknown) => void) | undefined;
  #timer: Timer | undefined;
  readonly #follow: () => void;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#follow = () => this.#abort(options.parent?.reason);
    if (options.parent !== undefined) this.#followFrom(options.parent);
    this.restart();
  }

  #followFrom(parent: AbortSignal): void {
    // Hundreds of requests with one signal are no leak: each removes its listener when it ends.
    expectManyListeners(parent);
    if (parent.aborted) this.#follow();
    else parent.addEventListener("abort", this.#follow, { once: true });
  }

  #abort(reason: unknown): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = { reason };
    this.#controller?.abort(reason);
    this.#abortListener?.(reason);
  }

  /** The reason of the abort; absent until then. */
  get aborted(): { readonly reason: unknown } | undefined {
    return this.#aborted;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  throwIfAborted(): void {
    if (this.#aborted !== undefined) throw this.#aborted.reason;
  }

  /** Sets the function that is called on abort, in place of an earlier one; `undefined` removes it. */
  onAbort(listener: ((reason: unknown) => void) | undefined): void {
    this.#abortListener = listener;
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
      this.#abort(new Error(`${missed} within ${timeoutMs / 1000} s`)),
    );
  }

  /** Stops the timeout and no longer follows the parent. */
  release(): void {
    this.pause();
    this.#options.parent?.removeEventListener("abort", this.#follow);
  }
}
