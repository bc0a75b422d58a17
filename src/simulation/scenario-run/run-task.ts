import { messageOf } from "../../api/message-of.ts";
import type { SeedOutcome, SeedTask } from "./run-scenario-seeds.ts";
import { runScenario } from "./run-scenario.ts";

/** Runs one task; an error of the simulation itself is an outcome, too. */
export async function runTask({ scenario, seed, withoutSeries }: SeedTask): Promise<SeedOutcome> {
  try {
    const { result } = await runScenario(scenario, { seed, withoutSeries });
    return { ok: true, result };
  } catch (error) {
    return { ok: false, scenario: scenario.name, seed, error: messageOf(error) };
  }
}
