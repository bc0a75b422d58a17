import type { Clock } from "../../../src/machinery/clock/clock.ts";
import type { TimeChange, TimeState } from "../messages.ts";
import type { PacedClock } from "./paced-clock.ts";

/** A frame: the page draws no oftener. */
const frameMs = 16;
/** A computer that was asleep, or cannot keep up, does not make up for it. */
const longestFrameMs = 250;
/** How precisely a jump stops behind the decision that it was for. */
const jumpMs = 250;
/** The pieces in which time passes up to the next moment. */
const momentJumpMs = 5000;
/** How far a jump looks for a decision. */
const longestJumpMs = 6 * 3_600_000;

export interface PaceOptions {
  readonly clock: PacedClock;
  /** Time as the reader of the page feels it. */
  readonly wall: Clock;
  /** Moments at which time stops, in milliseconds since the beginning, in order. */
  readonly moments: readonly number[];
  /** How many decisions there have been. */
  readonly decisions: () => number;
  readonly changed: () => void;
}

/** Lets the time of a cluster pass: at a speed, by steps, up to the next decision or moment. */
export class Pace {
  readonly #options: PaceOptions;
  #speed = 1;
  #isPaused = false;
  #nextMoment = 0;
  #moment: number | undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  get state(): TimeState {
    const { clock } = this.#options;
    const now = clock.now();
    return {
      now,
      passedMs: now - clock.start,
      speed: this.#speed,
      paused: this.#isPaused,
      ...(this.#moment !== undefined && { moment: this.#moment }),
      ...(this.#nextMoment < this.#options.moments.length && { nextMoment: this.#nextMoment }),
    };
  }

  async change(change: TimeChange): Promise<void> {
    if (change.to !== "speed") this.#moment = undefined;
    switch (change.to) {
      case "pause":
        this.#isPaused = true;
        break;
      case "resume":
        this.#isPaused = false;
        break;
      case "speed":
        this.#speed = change.speed;
        break;
      case "step":
        this.#isPaused = true;
        await this.#skip(change.ms);
        break;
      case "decision":
        this.#isPaused = true;
        await this.#jump();
        break;
      case "moment":
        this.#isPaused = true;
        await this.#jumpToMoment();
    }
    this.#options.changed();
  }

  /** Lets time pass until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, wall } = this.#options;
    let last = wall.now();
    while (!signal.aborted) {
      await wall.sleep(frameMs);
      const now = wall.now();
      const passedMs = Math.min(now - last, longestFrameMs);
      last = now;
      if (this.#isPaused || !clock.isWaiting) continue;
      // A moment is shown once everything before it has happened.
      if (this.#allow(clock.now() + Math.ceil(passedMs * this.#speed))) await this.#caughtUp();
      this.#options.changed();
    }
  }

  /** Lets time pass up to an instant, or to the next moment, where it stops; reports whether it did. */
  #allow(until: number): boolean {
    const { clock, moments } = this.#options;
    const moment = moments[this.#nextMoment];
    if (moment === undefined || until < clock.start + moment) {
      clock.allow(until);
      return false;
    }
    clock.allow(clock.start + moment);
    this.#moment = this.#nextMoment;
    this.#nextMoment++;
    this.#isPaused = true;
    return true;
  }

  async #skip(ms: number): Promise<boolean> {
    const { clock } = this.#options;
    const stopped = this.#allow(clock.now() + ms);
    await this.#caughtUp();
    return stopped;
  }

  async #jump(): Promise<void> {
    const { clock, decisions } = this.#options;
    const before = decisions();
    const end = clock.now() + longestJumpMs;
    while (decisions() === before && clock.now() < end) if (await this.#skip(jumpMs)) return;
  }

  /** In pieces, so that the page sees time pass. */
  async #jumpToMoment(): Promise<void> {
    const { moments, changed } = this.#options;
    while (this.#nextMoment < moments.length) {
      if (await this.#skip(momentJumpMs)) return;
      changed();
    }
  }

  async #caughtUp(): Promise<void> {
    const { clock, wall } = this.#options;
    while (!clock.isWaiting) await wall.sleep(0);
  }
}
