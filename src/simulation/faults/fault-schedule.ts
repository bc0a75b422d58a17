import type { JsonObject } from "../../api/json.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Random } from "../../machinery/random/random.ts";

export interface FaultScheduleOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How likely each fault is where it can be injected, by name, from 0 to 1. */
  readonly probabilities: ReadonlyMap<string, number>;
  /** Called for every fault that is injected. */
  readonly injected: (fault: string, what: JsonObject) => void;
}

/** Decides when faults are injected: at random between `start` and `stop`, and never outside. */
export class FaultSchedule {
  readonly #options: FaultScheduleOptions;
  #stopping: AbortController | undefined;

  constructor(options: FaultScheduleOptions) {
    this.#options = options;
  }

  get isActive(): boolean {
    return this.#stopping !== undefined;
  }

  start(): void {
    this.#stopping = new AbortController();
  }

  /** From now on no fault is injected, and pauses within faults end at once. */
  stop(): void {
    const stopping = this.#stopping;
    this.#stopping = undefined;
    stopping?.abort(new Error("faults are over"));
  }

  /** Whether this fault is injected here and now. */
  occurs(fault: string, what: () => JsonObject): boolean {
    const { random, probabilities } = this.#options;
    const probability = probabilities.get(fault) ?? 0;
    if (!this.isActive || probability === 0 || random.next() >= probability) return false;
    this.record(fault, what());
    return true;
  }

  record(fault: string, what: JsonObject): void {
    this.#options.injected(fault, what);
  }

  /** Waits, but not beyond `stop`. */
  async pause(durationMs: number): Promise<void> {
    if (this.#stopping === undefined) return;
    await this.#options.clock.sleep(durationMs, this.#stopping.signal).catch(() => undefined); // stopped
  }

  /** A duration from a range, its logarithm evenly distributed. */
  duration(shortestMs: number, longestMs: number): number {
    return Math.round(shortestMs * (longestMs / shortestMs) ** this.#options.random.next());
  }
}
