import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { runSeeds } from "../../src/simulation/run-seeds.ts";
import { scenarios } from "../../src/simulation/scenarios/scenarios.ts";
import { chooseRuns } from "./choose-runs.ts";
import { progressOn } from "./progress.ts";
import { replayRun } from "./replay-run.ts";
import { hasFailed, summaryOf } from "./summary.ts";

const usage = `usage: npm run chaos -- [--seeds N] [--seed FIRST] [--scenario NAME]
  --seeds N         how many stories are told (default 100, or 1 with --seed)
  --seed FIRST      the first seed; one alone is told with all that happened at its end
  --scenario NAME   one of: ${scenarios.map(({ name }) => name).join(", ")} (default: all in turn)`;

const wish = chooseRuns(process.argv.slice(2));
if (wish.kind !== "stories") {
  console.error(wish.kind === "help" ? usage : `${wish.problem}\n${usage}`);
  process.exit(wish.kind === "help" ? 0 : 1);
}

const clock = new WallClock();
const begin = clock.now();
const { stories } = wish;
const reports =
  stories.length === 1
    ? await replayRun(stories[0], (line) => console.log(line))
    : await runSeeds(stories, { reported: progressOn(process.stderr, stories.length) });
console.log(summaryOf(reports, clock.now() - begin));
process.exitCode = reports.some(hasFailed) ? 1 : 0;
