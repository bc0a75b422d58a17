import type { StoredObject } from "../../api/object.ts";
import type { WatchEvent } from "../../machinery/client/client.ts";
import type { Interceptor, WatchCall } from "../../machinery/client/intercept-client.ts";

/** When a process crashes: just before it sends a request, or just before it reads the response. */
export interface CrashPoint {
  /** After how many requests; 1 is the next. */
  readonly requests: number;
  readonly when: "before-request" | "before-response";
  readonly crash: () => void;
}

/** The connection of one process to the API; it can be cut at any moment. */
export class ProcessConnection {
  readonly #pending = new Set<(error: Error) => void>();
  #cut: Error | undefined;
  #crashPoint: (CrashPoint & { readonly at: number }) | undefined;
  #requests = 0;

  /** Intercepts all requests and watches of the process. */
  readonly interceptor: Interceptor = {
    call: (_call, send) => this.#call(send),
    watch: (_call, stream) => this.#watch(stream),
  };

  /** Fails everything until it is restored; pending requests fail too, whether or not they have been carried out. */
  cut(why: string): void {
    const error = new Error(why);
    this.#cut = error;
    for (const fail of this.#pending) fail(error);
    this.#pending.clear();
  }

  restore(): void {
    this.#cut = undefined;
  }

  crashAt(point: CrashPoint): void {
    this.#crashPoint = { ...point, at: this.#requests + point.requests };
  }

  async #call<T>(send: () => Promise<T>): Promise<T> {
    const point = this.#crashPointReached();
    if (point?.when === "before-request") point.crash();
    this.#check();
    const answering = this.#unlessCut(send());
    if (point?.when !== "before-response") return answering;
    const crash = () => {
      point.crash();
      this.#check();
    };
    const answer = await answering.catch((error: unknown) => {
      crash();
      throw error;
    });
    crash();
    return answer;
  }

  async *#watch<T extends StoredObject>({ open }: WatchCall<T>): AsyncGenerator<WatchEvent<T>, void> {
    this.#check();
    const events = open()[Symbol.asyncIterator]();
    try {
      for (;;) {
        const result = await this.#unlessCut(events.next());
        if (result.done === true) return;
        yield result.value;
      }
    } finally {
      // Not awaited: a stream without events would never return.
      void events.return?.();
    }
  }

  #crashPointReached(): CrashPoint | undefined {
    this.#requests++;
    const point = this.#crashPoint;
    if (point === undefined || this.#requests < point.at) return undefined;
    this.#crashPoint = undefined;
    return point;
  }

  #check(): void {
    if (this.#cut !== undefined) throw new Error(this.#cut.message);
  }

  async #unlessCut<T>(answer: Promise<T>): Promise<T> {
    let failure: Error | undefined;
    let wake = (): void => undefined;
    const cut = new Promise<void>((resolve) => (wake = resolve));
    const fail = (error: Error) => {
      failure = error;
      wake();
    };
    this.#pending.add(fail);
    try {
      await Promise.race([answer, cut]);
      // A response that had arrived when the connection was cut is lost as well.
      if (failure !== undefined) throw failure;
      return await answer;
    } finally {
      this.#pending.delete(fail);
    }
  }
}
