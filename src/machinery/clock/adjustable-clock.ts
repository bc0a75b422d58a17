import type { Instant } from "../../api/time.ts";
import { type Clock, elapsedMs, sleepWith, type Timer } from "./clock.ts";
import { Fifo } from "../work-queue/fifo.ts";
import { TimerHeap } from "./timer-heap.ts";
import { drainMicrotasks } from "./virtual-clock.ts";
import { WallClock } from "./wall-clock.ts";

/** The rounding error of multiplying by a speed. */
const roundingMs = 1e-6;

/** How an adjustable clock runs. */
export interface ClockState {
  readonly now: Instant;
  /** How many times faster than the wall clock, when it is not paused. */
  readonly speed: number;
  readonly isPaused: boolean;
  /** How far it is ahead of the wall clock; negative: behind. */
  readonly aheadMs: number;
}

/** What time is measured from: at `network` milliseconds of the network clock this one showed `own`. */
interface Anchor {
  readonly own: number;
  readonly network: number;
}

/**
 * Wall time that can be paused, made faster or slower, and advanced. Until that happens it is the wall clock. Time never
 * goes back.
 */
export class AdjustableClock implements Clock {
  readonly network: Clock;
  readonly #timers = new TimerHeap();
  readonly #idleTasks = new Fifo<() => void>();
  #anchor: Anchor;
  /** The instant at which `elapsed` was 0; absent while this is the wall clock, which its administrator may set. */
  #epoch: Instant | undefined;
  #speed = 1;
  #isPaused = false;
  /** Where time stands while it is advanced from timer to timer. */
  #steppedTo: number | undefined;
  #steps: Promise<void> = Promise.resolve();
  /** How many tasks have yielded to the event loop and are about to go on. */
  #yielding = 0;
  #armed: { readonly at: number; readonly timer: Timer } | undefined;
  #isRunningDue = false;

  constructor(network: Clock = new WallClock()) {
    this.network = network;
    const start = elapsedMs(network);
    this.#anchor = { own: start, network: start };
  }

  now(): Instant {
    return this.#epoch === undefined ? this.network.now() : Math.floor(this.#epoch + this.elapsed());
  }

  elapsed(): number {
    if (this.#steppedTo !== undefined) return this.#steppedTo;
    const { own, network } = this.#anchor;
    return own + (elapsedMs(this.network) - network) * this.#rate;
  }

  after(delayMs: number, task: () => void): Timer {
    const timer = this.#timers.add(this.elapsed() + Math.max(0, delayMs), task);
    this.#arm();
    return {
      cancel: () => {
        timer.cancel();
        this.#rearm(); // an armed host timer would keep the process alive
      },
    };
  }

  whenIdle(task: () => void): void {
    this.#idleTasks.push(task);
    this.network.whenIdle(() => this.#idleTasks.take()?.());
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepWith(this, delayMs, signal);
  }

  yieldToEventLoop(): Promise<void> | undefined {
    const turn = this.network.yieldToEventLoop?.();
    if (turn === undefined) return undefined;
    this.#yielding++;
    return turn.finally(() => this.#yielding--);
  }

  get state(): ClockState {
    const now = this.now();
    return { now, speed: this.#speed, isPaused: this.#isPaused, aheadMs: now - this.network.now() };
  }

  /** Stops time; what is due at this instant still runs. */
  pause(): void {
    this.#change(() => (this.#isPaused = true));
  }

  resume(): void {
    this.#change(() => (this.#isPaused = false));
  }

  /** Sets how many times faster than wall time this clock runs; a paused clock stays paused. */
  setSpeed(speed: number): void {
    if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError("a speed is a number above 0");
    this.#change(() => (this.#speed = speed));
  }

  /**
   * Advances time by a duration at once: timers run one by one at their instants, and the work that each causes in this
   * process runs before the next. Does not wait for network calls in flight.
   */
  advance(durationMs: number): Promise<void> {
    const step = this.#steps.then(() => this.#step(durationMs));
    this.#steps = step.catch(() => undefined); // the caller of `advance` gets the error
    return step;
  }

  async #step(durationMs: number): Promise<void> {
    this.#change(() => undefined);
    this.#steppedTo = this.#anchor.own;
    const end = this.#steppedTo + Math.max(0, durationMs);
    try {
      await this.#settle();
      for (
        let next = this.#timers.nextAt();
        next !== undefined && next <= end;
        next = this.#timers.nextAt()
      ) {
        this.#steppedTo = Math.max(this.#steppedTo, next);
        this.#timers.takeNext()?.();
        await this.#settle();
      }
      this.#steppedTo = end;
    } finally {
      this.#anchor = { own: this.#steppedTo, network: elapsedMs(this.network) };
      this.#steppedTo = undefined;
      this.#disarm(); // the timer it was armed for may have run
      this.#arm();
    }
  }

  /**
   * Resolves when no work of this process can continue. Also runs the tasks that wait for idleness: a network clock that
   * stands still would not run them.
   */
  async #settle(): Promise<void> {
    let idleTask: (() => void) | undefined;
    do {
      idleTask?.();
      await drainMicrotasks();
      idleTask = this.#idleTasks.take();
    } while (idleTask !== undefined || this.#yielding > 0);
  }

  get #rate(): number {
    return this.#isPaused ? 0 : this.#speed;
  }

  #change(change: () => unknown): void {
    const own = this.elapsed();
    this.#epoch ??= this.network.now() - own;
    change();
    this.#anchor = { own, network: elapsedMs(this.network) };
    this.#disarm();
    this.#arm();
  }

  #disarm(): void {
    this.#armed?.timer.cancel();
    this.#armed = undefined;
  }

  /** Arms the host timer again if the timer it was armed for is gone. */
  #rearm(): void {
    if (this.#armed === undefined || this.#armed.at === this.#timers.nextAt()) return;
    this.#disarm();
    this.#arm();
  }

  /** Arms a timer of the network clock for the first of ours, unless the clock is paused before it or being advanced. */
  #arm(): void {
    const at = this.#timers.nextAt();
    if (at === undefined || this.#isRunningDue || this.#steppedTo !== undefined) return;
    if (this.#armed !== undefined && this.#armed.at <= at) return;
    this.#disarm();
    const leftMs = at - this.elapsed();
    if (leftMs > 0 && this.#rate === 0) return;
    const delayMs = leftMs > 0 ? leftMs / this.#rate : 0;
    this.#armed = { at, timer: this.network.after(delayMs, () => void this.#runDue()) };
  }

  /** Runs what is due. As with timers of the host, what one task causes runs before the next task. */
  async #runDue(): Promise<void> {
    this.#armed = undefined;
    if (this.#isRunningDue) return;
    this.#isRunningDue = true;
    try {
      while (this.#isNextDue()) {
        this.#timers.takeNext()?.();
        if (this.#isNextDue()) await drainMicrotasks();
      }
    } finally {
      this.#isRunningDue = false;
      this.#arm();
    }
  }

  #isNextDue(): boolean {
    const at = this.#timers.nextAt();
    return at !== undefined && at <= this.elapsed() + roundingMs;
  }
}
