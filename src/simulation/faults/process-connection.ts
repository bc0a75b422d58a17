import type { StoredObject } from "../../api/object.ts";
import type { WatchEvent } from "../../machinery/client/client.ts";
import type { Interceptor, WatchCall } from "../../machinery/client/intercept-client.ts";

/** When a process dies: with a request on its lips, or with the answer in its ears. */
export interface CrashPoint {
  /** So many requests from now; 1 is the next. */
  readonly requests: number;
  readonly when: "before it is sent" | "before it is heard";
  readonly crash: () => void;
}

/** What connects one inhabitant of a world with the API; it can be cut at any moment. */
export class ProcessConnection {
  readonly #underWay = new Set<(error: Error) => void>();
  #cut: Error | undefined;
  #fuse: (CrashPoint & { readonly at: number }) | undefined;
  #requests = 0;

  /** Where requests and watches pass through. */
  readonly interceptor: Interceptor = {
    call: (_call, send) => this.#call(send),
    watch: (_call, stream) => this.#watch(stream),
  };

  /** Nothing passes until it is mended, and what is under way is never heard of: written or not, nobody knows. */
  cut(why: string): void {
    const error = new Error(why);
    this.#cut = error;
    for (const fail of this.#underWay) fail(error);
    this.#underWay.clear();
  }

  restore(): void {
    this.#cut = undefined;
  }

  crashAt(fuse: CrashPoint): void {
    this.#fuse = { ...fuse, at: this.#requests + fuse.requests };
  }

  async #call<T>(send: () => Promise<T>): Promise<T> {
    const fuse = this.#burnt();
    if (fuse?.when === "before it is sent") fuse.crash();
    this.#check();
    const answering = this.#listen(send());
    if (fuse?.when !== "before it is heard") return answering;
    const deaf = () => {
      fuse.crash();
      this.#check();
    };
    const answer = await answering.catch((error: unknown) => {
      deaf();
      throw error;
    });
    deaf();
    return answer;
  }

  async *#watch<T extends StoredObject>({ open }: WatchCall<T>): AsyncGenerator<WatchEvent<T>, void> {
    this.#check();
    const events = open()[Symbol.asyncIterator]();
    try {
      for (;;) {
        const result = await this.#listen(events.next());
        if (result.done === true) return;
        yield result.value;
      }
    } finally {
      // Not awaited: a stream that says nothing would never let go.
      void events.return?.();
    }
  }

  #burnt(): CrashPoint | undefined {
    this.#requests++;
    const fuse = this.#fuse;
    if (fuse === undefined || this.#requests < fuse.at) return undefined;
    this.#fuse = undefined;
    return fuse;
  }

  #check(): void {
    if (this.#cut !== undefined) throw new Error(this.#cut.message);
  }

  async #listen<T>(answer: Promise<T>): Promise<T> {
    let failure: Error | undefined;
    let wake = (): void => undefined;
    const cut = new Promise<void>((resolve) => (wake = resolve));
    const fail = (error: Error) => {
      failure = error;
      wake();
    };
    this.#underWay.add(fail);
    try {
      await Promise.race([answer, cut]);
      // An answer that had arrived when the line was cut has not been heard either.
      if (failure !== undefined) throw failure;
      return await answer;
    } finally {
      this.#underWay.delete(fail);
    }
  }
}
