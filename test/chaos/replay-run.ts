import { lineOf } from "../../src/simulation/recording/lines.ts";
import type { ScenarioRun, SeedReport } from "./run-seeds.ts";
import { findScenario } from "./scenarios/scenarios.ts";
import { runTrial } from "./run-trial.ts";

/** So many lines of a recording are shown before a violation. */
const shownLines = 60;

/** Makes one run, and shows what happened at its end if an invariant was violated. */
export async function replayRun(
  run: ScenarioRun | undefined,
  show: (line: string) => void,
): Promise<readonly SeedReport[]> {
  const scenario = findScenario(run?.scenario ?? "");
  if (run === undefined || scenario === undefined) return [];
  const { violation, faults, revisions, virtualMs, recording } = await runTrial({ ...run, scenario });
  if (violation !== undefined) {
    const before = recording.entries.filter(({ at }) => at <= violation.at);
    for (const entry of before.slice(-shownLines)) show(lineOf(entry, recording.start));
  }
  const struck = Object.entries(faults).map(([fault, count]) => `${fault} ${count}`);
  show(`faults: ${struck.sort().join(", ")}`);
  show(`digest: ${recording.digest()}`);
  return [{ ...run, violation: violation, faults, revisions, virtualMs }];
}
