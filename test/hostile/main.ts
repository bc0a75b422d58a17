import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { percentile } from "../../bench/measure.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { type FloodedServer, type FloodReport, floodServer } from "./flood.ts";

const usage = `usage: npm run flood -- [--requests N] [--seconds S] [--seed TEXT]
  --requests N  how many hostile requests are sent (default 20000)
  --seconds S   but for no longer than this (default 600)
  --seed TEXT   draws other requests (default 1)`;
const shownProblems = 10;

const { requests, seconds, seed, help } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seconds: { type: "string", default: "600" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", short: "h" },
  },
}).values;
if (help === true || !(Number(requests) > 0) || !(Number(seconds) > 0)) {
  console.error(usage);
  process.exit(help === true ? 0 : 2);
}
const clock = new WallClock();
const began = clock.elapsed();
const program = fileURLToPath(new URL("../connections/server-process.js", import.meta.url));
const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
const gone = once(child, "exit").then(([code]) =>
  Promise.reject(new Error(`the API server ended with ${code}`)),
);
try {
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), "line"), gone])) as [
    string,
  ];
  const server = JSON.parse(line) as FloodedServer;
  const flood = floodServer({ server, requests: Number(requests), seconds: Number(seconds), seed, clock });
  const report = await Promise.race([flood, gone]);
  console.log(summaryOf(report));
  for (const problem of report.problems.slice(0, shownProblems)) console.error(problem);
  process.exitCode = report.problems.length > 0 ? 1 : 0;
} finally {
  gone.catch(() => undefined);
  child.kill("SIGKILL");
}

function summaryOf({ sent, codes, problems, innocentMs }: FloodReport): string {
  const counts = Object.entries(codes).map(([code, count]) => `${count} × ${code}`);
  const times = [0.5, 0.99, 1].map((share) => percentile(innocentMs, share).toFixed(1));
  return [
    `${sent} requests in ${((clock.elapsed() - began) / 1000).toFixed(0)} s: ${counts.join(", ")}`,
    `${problems.length} problems`,
    `an innocent client beside them: ${innocentMs.length} requests, p50 ${times[0]}, p99 ${times[1]}, longest ${times[2]} ms`,
  ].join("\n");
}
