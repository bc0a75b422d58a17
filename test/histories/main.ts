import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { messageOf } from "../../src/api/message-of.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import type { Violation } from "./history.ts";
import { runHistory } from "./run-history.ts";
import { type KillReport, runKills } from "./run-kills.ts";

const usage = `usage: npm run histories -- [--seeds N] [--seed FIRST]
       npm run histories -- --kills N [--seconds S]
  --seeds N     how many simulated runs to make (default 100, or 1 with --seed)
  --seed FIRST  the first seed
  --kills N     kills so many real processes with a real database instead
  --seconds S   but for no longer than this (default 600)`;

const values = readFlags();
const clock = new WallClock();
const begin = clock.now();
if (typeof values === "string") {
  console.error(`${values}\n${usage}`);
  process.exitCode = 1;
} else if (values.help === true) console.log(usage);
else if (values.kills === undefined) await simulate(values);
else await kill(Number(values.kills), Number(values.seconds ?? "600"));

interface Flags {
  readonly seeds?: string;
  readonly seed?: string;
  readonly kills?: string;
  readonly seconds?: string;
  readonly help?: boolean;
}

/** The flags, or what is wrong with them. */
function readFlags(): Flags | string {
  const number = { type: "string" } as const;
  const options = { seeds: number, seed: number, kills: number, seconds: number } as const;
  try {
    const read = parseArgs({ options: { ...options, help: { type: "boolean", short: "h" } } }).values;
    const { help: _help, ...numbers } = read;
    const wrong = Object.entries(numbers).find(([, text]) => !/^\d{1,9}$/.test(text));
    return wrong === undefined ? read : `--${wrong[0]} takes a whole number`;
  } catch (error) {
    return messageOf(error).split(/\.\s/)[0] ?? "";
  }
}

async function simulate(flags: Flags): Promise<void> {
  const first = Number(flags.seed ?? "0");
  const count = Number(flags.seeds ?? (flags.seed === undefined ? "100" : "1"));
  const sums = { operations: 0, unanswered: 0, events: 0, relists: 0, ends: 0 };
  for (let seed = first; seed < first + count; seed++) {
    const { violation, operations, unanswered, events, relists, endings } = await runHistory(seed);
    if (violation !== undefined) fail(violation, `npm run histories -- --seed ${seed}`);
    sums.operations += operations;
    sums.unanswered += unanswered;
    sums.events += events;
    sums.relists += relists;
    sums.ends += endings.length;
  }
  console.log(
    `${count} runs in ${secondsSince()} s: ${sums.ends} processes ended, ${sums.operations} requests, ` +
      `${sums.unanswered} without an answer, ${sums.events} events, ${sums.relists} lists of watchers`,
  );
}

async function kill(kills: number, seconds: number): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "trimtab-kills-"));
  const program = fileURLToPath(new URL("../durable/server-process.js", import.meta.url));
  const killed = (report: KillReport) => {
    if (report.kills % 50 === 0) console.error(`${report.kills} kills, ${secondsSince()} s`);
  };
  const random = seededRandom("kills");
  const report = await runKills({
    kills,
    seconds,
    clock,
    random,
    program,
    killed,
    folder: path.join(folder, "data"),
  });
  rmSync(folder, { recursive: true, force: true });
  const { answered, acknowledged, unanswered, events, relists, violation } = report;
  console.log(
    `${report.kills} kills in ${secondsSince()} s: ${answered} answers, ${acknowledged} acknowledged writes, ` +
      `${unanswered} writes without an answer, ${events} events, ${relists} lists of watchers`,
  );
  if (violation !== undefined) fail(violation);
}

function fail({ check, details }: Violation, replay?: string): void {
  console.error(`not kept: ${check}\n${details}${replay === undefined ? "" : `\n  ${replay}`}`);
  process.exitCode = 1;
}

function secondsSince(): string {
  return ((clock.now() - begin) / 1000).toFixed(1);
}
