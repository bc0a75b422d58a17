import type { JsonObject } from "../../api/json.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Random } from "../../machinery/random/random.ts";

export interface WeatherOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How often each fault strikes when it can, by name, from 0 to 1. */
  readonly chances: ReadonlyMap<string, number>;
  /** Hears of every fault. */
  readonly struck: (fault: string, what: JsonObject) => void;
}

/** Whether faults strike: in a storm by chance, and never when it is over. */
export class Weather {
  readonly #options: WeatherOptions;
  #end: AbortController | undefined;

  constructor(options: WeatherOptions) {
    this.#options = options;
  }

  get isStormy(): boolean {
    return this.#end !== undefined;
  }

  begin(): void {
    this.#end = new AbortController();
  }

  /** Nothing strikes any more, and whoever waits for the end of a fault need not wait longer. */
  end(): void {
    const ending = this.#end;
    this.#end = undefined;
    ending?.abort(new Error("the storm is over"));
  }

  /** Whether this fault strikes here and now. */
  strikes(fault: string, what: () => JsonObject): boolean {
    const { random, chances } = this.#options;
    const chance = chances.get(fault) ?? 0;
    if (!this.isStormy || chance === 0 || random.next() >= chance) return false;
    this.tell(fault, what());
    return true;
  }

  tell(fault: string, what: JsonObject): void {
    this.#options.struck(fault, what);
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
