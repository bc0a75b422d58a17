import { runInThreads, type ThreadOptions } from "../run-in-threads.ts";
import type { ScenarioDocument } from "../scenario-files/scenario-document.ts";
import type { ScenarioResult } from "./scenario-result.ts";

/** One run of a scenario. */
export interface SeedTask {
  readonly scenario: ScenarioDocument;
  readonly seed: number;
  readonly withoutSeries: boolean;
}

/** The outcome of one run: its result, or the error of the simulation itself. */
export type SeedOutcome =
  | { readonly ok: true; readonly result: ScenarioResult }
  | { readonly ok: false; readonly scenario: string; readonly seed: number; readonly error: string };

/** Runs a scenario with many seeds at a time, one in a thread; the outcomes are in the order of the tasks. */
export async function runScenarioSeeds(
  tasks: readonly SeedTask[],
  options: ThreadOptions<SeedOutcome> = {},
): Promise<readonly SeedOutcome[]> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const worker = new URL(`./scenario-worker.${extension}`, import.meta.url);
  const outcomes = await runInThreads<SeedOutcome>(worker, tasks, options);
  const keyOf = (scenario: string, seed: number) => `${seed} ${scenario}`;
  const byTask = new Map(
    outcomes.map((outcome) => {
      const { scenario, seed } = outcome.ok ? outcome.result : outcome;
      return [keyOf(scenario, seed), outcome];
    }),
  );
  return tasks.flatMap(({ scenario, seed }) => byTask.get(keyOf(scenario.name, seed)) ?? []);
}
