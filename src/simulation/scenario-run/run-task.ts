import { messageOf } from "../../api/message-of.ts";
import type { SeedOutcome, SeedTask } from "./run-scenario-seeds.ts";
import { runScenario } from "./run-scenario.ts";

/** Runs one task; an error of the simulation itself is an outcome, too. Rejects only when the signal aborts. */
export async function runTask(
  { scenario, seed, withoutSeries }: SeedTask,
  signal?: AbortSignal,
): Promise<SeedOutcome> {
  try {
    const { result } = await runScenario(scenario, { seed, withoutSeries, signal });
    return { ok: true, result };
  } catch (error) {
    signal?.throwIfAborted();
    return { ok: false, scenario: scenario.name, seed, error: messageOf(error) };
  }
}
