import type { Invariant } from "./invariants/invariant.ts";
import { runAndReport } from "./run-and-report.ts";
import type { SeedReport } from "./run-seeds.ts";
import { faultScenarios } from "./scenarios/scenarios.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { runsFrom } from "./choose-runs.ts";
import type { Mutation } from "./mutations.ts";

export interface MutantOptions {
  readonly mutation: Mutation;
  /** The seed to begin with; absent: 0. */
  readonly first?: number;
  /** How many runs it may take. */
  readonly count: number;
  /** Absent: those with faults, in turn. */
  readonly scenarios?: readonly Scenario[];
  /** Absent: all of them. */
  readonly invariants?: readonly Invariant[];
}

/** The first of so many runs in which a mutation violates an invariant. */
export async function firstViolation(options: MutantOptions): Promise<SeedReport | undefined> {
  const { mutation, first = 0, count, scenarios = faultScenarios, invariants } = options;
  for (const run of runsFrom(first, count, scenarios)) {
    const report = await runAndReport(run, { mutation, ...(invariants !== undefined && { invariants }) });
    if (report.error !== undefined) throw new Error(report.error);
    if (report.violation !== undefined) return report;
  }
  return undefined;
}
