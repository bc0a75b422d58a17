import type { Client } from "../../../src/machinery/client/client.ts";
import type { Random } from "../../../src/machinery/random/random.ts";
import { failure } from "../../../src/testing/fake-store.ts";
import { oversee, type Oversight } from "../../../src/testing/oversee.ts";

/** What is between controllers and the API server: requests that fail, answers that are lost, watches that are late. */
export class Weather {
  readonly #random: Random;
  readonly #lines: Oversight[] = [];
  #failing = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A line through this weather. */
  line(client: Client): Oversight {
    const line = oversee(this.#losingAnswers(client));
    line.interfere(() => this.#refusal());
    this.#lines.push(line);
    return line;
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
    return refusals[Math.floor(this.#random.next() * refusals.length)];
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
