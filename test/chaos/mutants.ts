import { runAssignment } from "../../src/simulation/run-assignment.ts";
import type { Mutation } from "../../src/simulation/population.ts";
import type { SeedReport } from "../../src/simulation/run-seeds.ts";
import { storiesFrom } from "./choose-stories.ts";

/** The first of so many stories in which a mutation is noticed. */
export async function firstNotice(mutation: Mutation, count: number): Promise<SeedReport | undefined> {
  for (const story of storiesFrom(0, count)) {
    const report = await runAssignment(story, { mutation });
    if (report.error !== undefined) throw new Error(report.error);
    if (report.breach !== undefined) return report;
  }
  return undefined;
}
