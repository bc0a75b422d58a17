import os from "node:os";
import { Worker } from "node:worker_threads";
import type { FeatureGates } from "../api/feature-gates.ts";
import type { Violation } from "./invariants/invariant-checker.ts";

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

export interface RunSeedsOptions {
  /** How many threads; absent: as many as there are processors. */
  readonly threads?: number;
  /** Called for every seed when it is done, in any order. */
  readonly reported?: (report: SeedReport) => void;
}

/** Runs many trials at a time, one in a thread; the result of each is independent of the others. */
export async function runSeeds(
  runs: readonly ScenarioRun[],
  { threads = os.availableParallelism(), reported }: RunSeedsOptions = {},
): Promise<readonly SeedReport[]> {
  const waiting = runs.values();
  const reports: SeedReport[] = [];
  const heard = (report: SeedReport) => {
    reports.push(report);
    reported?.(report);
  };
  const count = Math.min(threads, runs.length);
  await Promise.all(Array.from({ length: count }, () => runWorker(waiting, heard)));
  return reports;
}

/** Keeps one thread busy until nothing waits any more. */
async function runWorker(
  waiting: Iterator<ScenarioRun, unknown>,
  heard: (report: SeedReport) => void,
): Promise<void> {
  const worker = new Worker(ownWorker());
  try {
    await new Promise<void>((resolve, reject) => {
      const next = () => {
        const { value, done } = waiting.next();
        if (done === true) resolve();
        else worker.postMessage(value);
      };
      worker.on("message", (report: SeedReport) => {
        heard(report);
        next();
      });
      worker.on("error", reject);
      worker.on("exit", (code) => reject(new Error(`a thread ended with ${code}`)));
      next();
    });
  } finally {
    await worker.terminate();
  }
}

/** Sources are run by Node as they are, or compiled; the worker is what this module is. */
function ownWorker(): URL {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./seed-worker.${extension}`, import.meta.url);
}
