import type { StoredObject } from "../../../src/api/object.ts";
import type { Client, WatchEvent } from "../../../src/machinery/client/client.ts";
import type { Clock } from "../../../src/machinery/clock/clock.ts";
import { type Random, randomInt } from "../../../src/machinery/random/random.ts";
import { failure } from "../../../src/testing/fake-store.ts";
import { observeClient, type ObservedClient } from "../../../src/testing/observe-client.ts";

/**
 * What is between controllers and the API server: the way, which takes time, and the weather: requests that fail,
 * answers that are lost, watches that stand still.
 */
export class Weather {
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #lines: ObservedClient[] = [];
  #failing = 0;
  #distanceMs = 0;

  constructor(random: Random, clock: Clock) {
    this.#random = random;
    this.#clock = clock;
  }

  /** A line through this weather. */
  line(client: Client): ObservedClient {
    const line = observeClient(this.#losingAnswers(this.#taking(client)));
    line.failRequests(() => this.#refusal());
    this.#lines.push(line);
    return line;
  }

  /** From now on everything takes up to so long, each way. */
  moveApart(distanceMs: number): void {
    this.#distanceMs = distanceMs;
  }

  /** It becomes better or worse. */
  change(): void {
    const next = () => this.#random.next();
    this.#failing = next() < 0.5 ? 0 : next() * 0.4;
    for (const line of this.#lines) {
      line.releaseWatches();
      if (next() < 0.3) line.holdWatches();
    }
  }

  /** It is fine from now on. */
  calm(): void {
    this.#failing = 0;
    for (const line of this.#lines) line.releaseWatches();
  }

  #strikes(): boolean {
    return this.#failing > 0 && this.#random.next() < this.#failing;
  }

  #refusal(): Error | undefined {
    if (!this.#strikes()) return undefined;
    const refusals = [
      failure(500, "InternalError"),
      failure(409, "Conflict"),
      new Error("the connection was reset"),
    ];
    return refusals[randomInt(this.#random, refusals.length)];
  }

  async #travel(): Promise<void> {
    if (this.#distanceMs > 0) await this.#clock.sleep(randomInt(this.#random, this.#distanceMs));
  }

  /** Requests there and answers back, and news in their order. */
  #taking(inner: Client): Client {
    const taking = async <T>(send: () => Promise<T>): Promise<T> => {
      await this.#travel();
      const answer = await send();
      await this.#travel();
      return answer;
    };
    const late = async function* <T extends StoredObject>(
      events: AsyncIterable<WatchEvent<T>>,
      travel: () => Promise<void>,
    ) {
      for await (const event of events) {
        await travel();
        yield event;
      }
    };
    return {
      ...inner,
      get: (...request) => taking(() => inner.get(...request)),
      list: (...request) => taking(() => inner.list(...request)),
      watch: (...request) => late(inner.watch(...request), () => this.#travel()),
      create: (...request) => taking(() => inner.create(...request)),
      update: (...request) => taking(() => inner.update(...request)),
      patch: (...request) => taking(() => inner.patch(...request)),
      delete: (...request) => taking(() => inner.delete(...request)),
    };
  }

  #losingAnswers(inner: Client): Client {
    const lost = async <T>(answer: Promise<T>): Promise<T> => {
      const heard = await answer;
      if (this.#strikes()) throw new Error("the answer was lost");
      return heard;
    };
    return {
      ...inner,
      create: (...request) => lost(inner.create(...request)),
      update: (...request) => lost(inner.update(...request)),
      patch: (...request) => lost(inner.patch(...request)),
      delete: (...request) => lost(inner.delete(...request)),
    };
  }
}
