import { Session } from "node:inspector";

/** How often V8 executed the blocks of scripts. */
export interface CoveredScript {
  readonly scriptId: string;
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly CoveredBlock[] }[];
}

export interface CoveredBlock {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Counts what is executed in this process from now on. */
export class PreciseCoverage {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    // What was counted until now is forgotten by asking for it.
    this.take();
  }

  /** What has been executed since the last call. */
  take(): readonly CoveredScript[] {
    const { result } = this.#post("Profiler.takePreciseCoverage") as {
      readonly result: readonly CoveredScript[];
    };
    return result;
  }

  stop(): void {
    this.#post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
  }

  /** The inspector of the own process answers before `post` returns. */
  #post(method: string, parameters: object = {}): unknown {
    let answer: unknown;
    this.#session.post(method, parameters, (error, result) => {
      if (error !== null) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  }
}
