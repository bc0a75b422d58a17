import type { JsonObject } from "../../api/json.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Random } from "../../machinery/random/random.ts";

export interface FaultScheduleOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How often each fault strikes when it can, by name, from 0 to 1. */
  readonly probabilities: ReadonlyMap<string, number>;
  /** Hears of every fault. */
  readonly injected: (fault: string, what: JsonObject) => void;
}

/** Whether faults strike: in a storm by chance, and never when it is over. */
export class FaultSchedule {
  readonly #options: FaultScheduleOptions;
  #end: AbortController | undefined;

  constructor(options: FaultScheduleOptions) {
    this.#options = options;
  }

  get isActive(): boolean {
    return this.#end !== undefined;
  }

  start(): void {
    this.#end = new AbortController();
  }

  /** Nothing strikes any more, and whoever waits for the end of a fault need not wait longer. */
  stop(): void {
    const ending = this.#end;
    this.#end = undefined;
    ending?.abort(new Error("the storm is over"));
  }

  /** Whether this fault strikes here and now. */
  occurs(fault: string, what: () => JsonObject): boolean {
    const { random, probabilities } = this.#options;
    const chance = probabilities.get(fault) ?? 0;
    if (!this.isActive || chance === 0 || random.next() >= chance) return false;
    this.record(fault, what());
    return true;
  }

  record(fault: string, what: JsonObject): void {
    this.#options.injected(fault, what);
  }

  /** Waits, but no longer than the storm lasts. */
  async pause(durationMs: number): Promise<void> {
    if (this.#end === undefined) return;
    await this.#options.clock.sleep(durationMs, this.#end.signal).catch(() => undefined);
  }

  /** A duration from a range, the short ones as likely as the long ones. */
  duration(shortestMs: number, longestMs: number): number {
    return Math.round(shortestMs * (longestMs / shortestMs) ** this.#options.random.next());
  }
}
