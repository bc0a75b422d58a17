import type { Assignment, SeedReport } from "./run-seeds.ts";
import { findScenario } from "./scenarios/scenarios.ts";
import { runTrial, type TrialOptions } from "./trial.ts";

/** Tells one story and says what came of it; a trial that fails itself is a report, too. */
export async function runAssignment(
  { scenario: name, seed }: Assignment,
  options: Omit<TrialOptions, "scenario" | "seed"> = {},
): Promise<SeedReport> {
  const scenario = findScenario(name);
  if (scenario === undefined) return failure({ scenario: name, seed }, new Error("no such scenario"));
  try {
    const { breach, faults, revisions, virtualMs } = await runTrial({ ...options, scenario, seed });
    return { scenario: name, seed, breach, faults, revisions, virtualMs };
  } catch (error) {
    return failure({ scenario: name, seed }, error);
  }
}

function failure(assignment: Assignment, error: unknown): SeedReport {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { ...assignment, error: text, faults: {}, revisions: 0, virtualMs: 0 };
}
