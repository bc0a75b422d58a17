import type { Recording } from "../recording/recording.ts";
import type { ScenarioDocument } from "../scenario-files/scenario-document.ts";
import { playEvents } from "./play-events.ts";
import type { ScenarioResult } from "./scenario-result.ts";
import { startScenario } from "./start-scenario.ts";
import { summarizeRun } from "./summarize-run.ts";

export interface RunScenarioOptions {
  readonly seed: number;
  /** Keeps every revision and decision, for `--record`. */
  readonly isRecorded?: boolean;
  /** Leaves out the time series, which are large. */
  readonly withoutSeries?: boolean;
  /** Ends the run, which rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ScenarioRun {
  readonly result: ScenarioResult;
  /** Empty unless the run was recorded. */
  readonly recording: Recording;
}

/** Runs a scenario in virtual time; the same scenario and seed give the same result, to the byte. */
export async function runScenario(
  scenario: ScenarioDocument,
  { signal, ...options }: RunScenarioOptions,
): Promise<ScenarioRun> {
  const started = await startScenario(scenario, options);
  const { run, cluster } = started;
  await playEvents(started, signal);
  await started.stop();
  if (run.broken !== undefined) throw run.broken;
  return { result: summarizeRun(run, options.seed), recording: cluster.recording };
}
