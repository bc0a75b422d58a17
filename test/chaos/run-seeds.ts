import type { FeatureGates } from "../../src/api/feature-gates.ts";
import type { Violation } from "./invariants/invariant-checker.ts";
import { runInThreads, type ThreadOptions } from "../../src/simulation/run-in-threads.ts";

/** One trial to be run. */
export interface ScenarioRun {
  readonly scenario: string;
  readonly seed: number;
  /** Absent: the defaults. */
  readonly gates?: FeatureGates;
}

/** The result of one, in brief, as a worker sends it. */
export interface SeedReport extends ScenarioRun {
  readonly violation?: Violation | undefined;
  /** What the trial itself failed with. */
  readonly error?: string | undefined;
  readonly faults: Readonly<Record<string, number>>;
  readonly revisions: number;
  readonly virtualMs: number;
}

export type RunSeedsOptions = ThreadOptions<SeedReport>;

/** Runs many trials at a time, one in a thread; the result of each is independent of the others. */
export function runSeeds(
  runs: readonly ScenarioRun[],
  options: RunSeedsOptions = {},
): Promise<readonly SeedReport[]> {
  return runInThreads<SeedReport>(ownWorker(), runs, options);
}

/** Sources are run by Node as they are, or compiled; the worker is what this module is. */
function ownWorker(): URL {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./seed-worker.${extension}`, import.meta.url);
}
