import type { ScenarioRun, SeedReport } from "./run-seeds.ts";
import { findScenario } from "./scenarios/scenarios.ts";
import { runTrial, type TrialOptions } from "./run-trial.ts";

/** Runs one trial and reports its result; an error of the trial itself is a report, too. */
export async function runAndReport(
  run: ScenarioRun,
  options: Omit<TrialOptions, "scenario" | "seed"> = {},
): Promise<SeedReport> {
  const scenario = findScenario(run.scenario);
  if (scenario === undefined) return failure(run, new Error("no such scenario"));
  try {
    const { violation, faults, revisions, virtualMs } = await runTrial({ ...options, ...run, scenario });
    return { ...run, violation: violation, faults, revisions, virtualMs };
  } catch (error) {
    return failure(run, error);
  }
}

function failure(assignment: ScenarioRun, error: unknown): SeedReport {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { ...assignment, error: text, faults: {}, revisions: 0, virtualMs: 0 };
}
