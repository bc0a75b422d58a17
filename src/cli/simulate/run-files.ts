import type { Invocation, Terminal } from "../command.ts";
import type { ScenarioDocument } from "../../simulation/scenario-files/scenario-document.ts";
import { runScenarioSeeds, type SeedTask } from "../../simulation/scenario-run/run-scenario-seeds.ts";
import { runTask } from "../../simulation/scenario-run/run-scenario.ts";
import { type FileOutcomes, hasPassed } from "./result-text.ts";

export interface NamedScenario {
  readonly file: string;
  readonly scenario: ScenarioDocument;
}

/** A scenario file and its runs. */
export interface FileTasks {
  readonly file: string;
  readonly tasks: readonly SeedTask[];
}

/** The runs of a scenario, with the seeds that the flags or `seedsOf` say: `--seed` alone is one run. */
export function tasksOf(
  { file, scenario }: NamedScenario,
  flags: Invocation["flags"],
  seedsOf: ScenarioDocument = scenario,
): FileTasks {
  const first = flags["seed"] === undefined ? (seedsOf.seed ?? 1) : Number(flags["seed"]);
  const own = flags["seed"] === undefined ? (seedsOf.seeds ?? 1) : 1;
  const count = flags["seeds"] === undefined ? own : Number(flags["seeds"]);
  const tasks = Array.from({ length: count }, (_, index) => ({
    scenario,
    seed: first + index,
    withoutSeries: index > 0,
  }));
  return { file, tasks };
}

/** Runs files one after the other, the seeds of each in threads, with one progress bar for all. */
export async function runFiles(
  files: readonly FileTasks[],
  flags: Invocation["flags"],
  terminal: Terminal,
): Promise<readonly FileOutcomes[]> {
  const of = files.reduce((sum, { tasks }) => sum + tasks.length, 0);
  let [done, failed] = [0, 0];
  const options = {
    signal: terminal.interrupted,
    ...(flags["threads"] !== undefined && { threads: Number(flags["threads"]) }),
    reported: (outcome: FileOutcomes["outcomes"][number]) => {
      done++;
      if (!hasPassed(outcome)) failed++;
      terminal.status?.(done === of ? "" : progressBar({ done, failed, of }));
    },
  };
  const results: FileOutcomes[] = [];
  for (const { file, tasks } of files) {
    const [only] = tasks;
    if (tasks.length !== 1 || only === undefined) {
      results.push({ file, outcomes: await runScenarioSeeds(tasks, options) });
      continue;
    }
    const outcome = await runTask(only, terminal.interrupted);
    options.reported(outcome);
    results.push({ file, outcomes: [outcome] });
  }
  return results;
}

const barWidth = 30;

function progressBar({ done, failed, of }: Readonly<Record<"done" | "failed" | "of", number>>): string {
  const filled = Math.floor((barWidth * done) / of);
  const bar = "#".repeat(filled).padEnd(barWidth, ".");
  return `[${bar}] ${done} of ${of} runs${failed === 0 ? "" : `, ${failed} fail`}`;
}
