import { Session } from "node:inspector";

/**
 * Runs something and returns how many blocks of JavaScript it executed, libraries included: the counters of V8's precise
 * coverage, which are the same on every machine, unlike time. Work within built-in functions is not counted.
 */
export function countSteps(run: () => void): number {
  const session = startCounting();
  run();
  return stopCounting(session);
}

/** The same for what takes turns. */
export async function countStepsOf(run: () => Promise<void>): Promise<number> {
  const session = startCounting();
  await run();
  return stopCounting(session);
}

function startCounting(): Session {
  const session = new Session();
  session.connect();
  post(session, "Profiler.enable");
  post(session, "Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  // What was counted until now is forgotten by asking for it.
  post(session, "Profiler.takePreciseCoverage");
  return session;
}

function stopCounting(session: Session): number {
  const steps = total(post(session, "Profiler.takePreciseCoverage") as Coverage);
  post(session, "Profiler.stopPreciseCoverage");
  session.disconnect();
  return steps;
}

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

function total({ result }: Coverage): number {
  let steps = 0;
  for (const { functions } of result)
    for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  return steps;
}

/** The inspector of the own process answers before `post` returns. */
function post(session: Session, method: string, parameters?: object): unknown {
  let answer: unknown;
  session.post(method, parameters ?? {}, (error, result) => {
    if (error !== null) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer;
}
