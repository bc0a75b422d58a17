import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { runSeeds } from "./run-seeds.ts";
import { scenarios } from "./scenarios/scenarios.ts";
import { chooseRuns } from "./choose-runs.ts";
import { progressOn } from "./progress.ts";
import { replayRun } from "./replay-run.ts";
import { hasFailed, summaryOf } from "./summary.ts";

const usage = `usage: npm run chaos -- [--seeds N] [--seed FIRST] [--scenario NAME] [--feature-gates A=true,B=false]
  --seeds N         how many runs to make (default 100, or 1 with --seed)
  --seed FIRST      the first seed; a single run prints what happened at its end
  --scenario NAME   one of: ${scenarios.map(({ name }) => name).join(", ")} (default: all in turn)
  --feature-gates A=true,B=false   feature gates to enable or disable`;

const chosen = chooseRuns(process.argv.slice(2));
if (chosen.kind !== "runs") {
  console.error(chosen.kind === "help" ? usage : `${chosen.problem}\n${usage}`);
  process.exit(chosen.kind === "help" ? 0 : 1);
}

const clock = new WallClock();
const begin = clock.now();
const { runs } = chosen;
const reports =
  runs.length === 1
    ? await replayRun(runs[0], (line) => console.log(line))
    : await runSeeds(runs, { reported: progressOn(process.stderr, runs.length) });
console.log(summaryOf(reports, clock.now() - begin));
process.exitCode = reports.some(hasFailed) ? 1 : 0;
