import { parseArgs } from "node:util";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { runSeeds } from "../../src/simulation/run-seeds.ts";
import { scenarios } from "../../src/simulation/scenarios/scenarios.ts";
import { chooseStories } from "./choose-stories.ts";
import { progressOn } from "./progress.ts";
import { replayStory } from "./replay-story.ts";
import { hasFailed, summaryOf } from "./summary.ts";

const usage = `usage: npm run chaos -- [--seeds N] [--seed FIRST] [--scenario NAME]
  --seeds N         how many stories are told (default 100, or 1 with --seed)
  --seed FIRST      the first seed; one alone is told with all that happened at its end
  --scenario NAME   one of: ${scenarios.map(({ name }) => name).join(", ")} (default: all in turn)`;

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    seed: { type: "string" },
    scenario: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const choice = chooseStories(values);
if (values.help === true || !choice.ok) {
  console.error(choice.ok ? usage : `${choice.problem}\n${usage}`);
  process.exit(choice.ok ? 0 : 1);
}

const clock = new WallClock();
const begin = clock.now();
const { stories } = choice;
const reports =
  stories.length === 1
    ? await replayStory(stories[0], (line) => console.log(line))
    : await runSeeds(stories, { reported: progressOn(process.stderr, stories.length) });
console.log(summaryOf(reports, clock.now() - begin));
process.exitCode = reports.some(hasFailed) ? 1 : 0;
