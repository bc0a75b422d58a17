import { Session } from "node:inspector";

/** Where the code is that counts: ours, and the parsers that we call. */
const counted = /\.build\/src\/|\/node_modules\/(yaml|@marcbachmann\/cel-js)\//;

/** Asks V8 which blocks of code have been executed. */
export class CoveredCode {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** The blocks that have been executed since the last call. */
  take(): ReadonlySet<string> {
    const { result } = this.#post("Profiler.takePreciseCoverage") as Coverage;
    const blocks = new Set<string>();
    for (const { scriptId, url, functions } of result) {
      const ranges = counted.test(url) ? functions.flatMap((each) => each.ranges) : [];
      for (const { startOffset, endOffset, count } of ranges)
        if (count > 0) blocks.add(`${scriptId}:${startOffset}:${endOffset}`);
    }
    return blocks;
  }

  stop(): void {
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

interface Coverage {
  readonly result: readonly {
    readonly scriptId: string;
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly {
        readonly startOffset: number;
        readonly endOffset: number;
        readonly count: number;
      }[];
    }[];
  }[];
}
