import { runAndReport } from "../../src/simulation/run-and-report.ts";
import type { Mutation } from "../../src/simulation/processes.ts";
import type { SeedReport } from "../../src/simulation/run-seeds.ts";
import { runsFrom } from "./choose-runs.ts";

/** The first of so many stories in which a mutation is noticed. */
export async function firstViolation(mutation: Mutation, count: number): Promise<SeedReport | undefined> {
  for (const story of runsFrom(0, count)) {
    const report = await runAndReport(story, { mutation });
    if (report.error !== undefined) throw new Error(report.error);
    if (report.violation !== undefined) return report;
  }
  return undefined;
}
