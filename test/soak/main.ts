import { parseArgs } from "node:util";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { runSoak, type SoakReport } from "./run-soak.ts";

const usage = `usage: npm run soak -- [--minutes M] [--nodes N] [--pods N] [--seed TEXT]
  --minutes M   how long workloads are changed (default 1)
  --nodes N     simulated nodes (default 1000)
  --pods N      Pods on average (default 20000)
  --seed TEXT   draws other changes (default 1)`;

const { minutes, nodes, pods, seed, help } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    nodes: { type: "string", default: "1000" },
    pods: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", short: "h" },
  },
}).values;
if (help === true || [minutes, nodes, pods].some((text) => !(Number(text) > 0))) {
  console.error(usage);
  process.exit(help === true ? 0 : 2);
}
const report = await runSoak({
  clock: new WallClock(),
  forMs: Number(minutes) * 60_000,
  nodes: Number(nodes),
  pods: Number(pods),
  seed,
});
console.log(summaryOf(report));
for (const problem of report.problems.slice(0, 10)) console.error(problem);
process.exitCode = report.problems.length > 0 ? 1 : 0;

function summaryOf({ tookMs, changes, pods: count, heaps, stallMs, problems }: SoakReport): string {
  const [first = 0, last = 0] = [heaps[0], heaps.at(-1)];
  return [
    `${(tookMs / 60_000).toFixed(1)} min, ${changes} changes, ${count} Pods at the end, ${problems.length} problems`,
    `heap after collection ${first.toFixed(0)} MB when filled, ${Math.max(...heaps).toFixed(0)} MB at most, ${last.toFixed(0)} MB at the end`,
    `longest stall of the event loop ${stallMs.toFixed(0)} ms`,
  ].join("\n");
}
