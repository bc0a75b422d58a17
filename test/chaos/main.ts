import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { runSeeds, type SeedReport, type ScenarioRun } from "./run-seeds.ts";
import { scenarios, findScenario } from "./scenarios/scenarios.ts";
import { chooseRuns } from "./choose-runs.ts";
import { hasFailed, summaryOf } from "./summary.ts";
import { lineOf } from "../../src/simulation/recording/lines.ts";
import { runTrial } from "./run-trial.ts";

const usage = `usage: npm run chaos -- [--seeds N] [--seed FIRST] [--seconds S] [--scenario NAME] [--feature-gates A=true,B=false]
  --seeds N         how many runs to make (default 100, or 1 with --seed)
  --seconds S       start no more runs after so many seconds
  --seed FIRST      the first seed; a single run prints what happened at its end
  --scenario NAME   one of: ${scenarios.map(({ name }) => name).join(", ")} (default: all in turn)
  --feature-gates A=true,B=false   feature gates to enable or disable`;

/** The number of lines of a recording that are shown before a violation. */
const shownLines = 60;

const chosen = chooseRuns(process.argv.slice(2));
if (chosen.kind !== "runs") {
  console.error(chosen.kind === "help" ? usage : `${chosen.problem}\n${usage}`);
  process.exit(chosen.kind === "help" ? 0 : 1);
}

const clock = new WallClock();
const begin = clock.now();
const { runs, seconds } = chosen;
const reports =
  runs.length === 1
    ? await replayRun(runs[0], (line) => console.log(line))
    : await runSeeds(runs, {
        reported: progressOn(process.stderr, runs.length),
        isEnough: () => clock.now() - begin > seconds * 1000,
      });
console.log(summaryOf(reports, clock.now() - begin));
process.exitCode = reports.some(hasFailed) ? 1 : 0;

/** Shows how far many runs have come: in place on a terminal, else a line for every tenth of them. */
function progressOn(
  stream: Pick<NodeJS.WriteStream, "write" | "isTTY">,
  count: number,
): (report: SeedReport) => void {
  let done = 0;
  let failed = 0;
  const tenth = Math.max(1, Math.floor(count / 10));
  return (report) => {
    done++;
    if (hasFailed(report)) failed++;
    const text = `${done} of ${count} runs, ${failed} failed`;
    if (stream.isTTY) stream.write(`\r${text}${done === count ? "\n" : ""}`);
    else if (done % tenth === 0 || done === count) stream.write(`${text}\n`);
  };
}

/** Makes one run, and shows what happened at its end if an invariant was violated. */
async function replayRun(
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
