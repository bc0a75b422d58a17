import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { messageOf } from "../../src/api/message-of.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { type FuzzReport, fuzzTarget } from "./fuzz-target.ts";
import { PreciseCoverage } from "./precise-coverage.ts";
import { type TargetName, targets } from "./targets.ts";

const names = Object.keys(targets) as TargetName[];
const usage = `usage: npm run fuzz -- [TARGET…] [--seconds N] [--seed N]
  TARGET       one of: ${names.join(", ")} (default: all in turn)
  --seconds N  for each target (default 60)
  --seed N     mutates differently (default 1)`;

/** Compiled, this file is in .build/test/fuzz; the corpus is with the sources. */
const root = fileURLToPath(new URL("../../..", import.meta.url));
const clock = new WallClock();
const coverage = new PreciseCoverage();

const chosen = choose();
if (typeof chosen === "string") {
  console.error(chosen);
  process.exit(2);
}
for (const name of chosen.names) {
  const folder = path.join(root, ".build/fuzz", name);
  const report = fuzzTarget({
    target: targets[name],
    corpus: inputsIn(path.join(root, "test/fuzz/corpus", name)),
    random: seededRandom(`${name}/${chosen.seed}`),
    coverage,
    elapsed: () => clock.elapsed(),
    forMs: chosen.seconds * 1000,
  });
  console.log(`${name}: ${summaryOf(report)}`);
  for (const input of report.found) keep(folder, "reached", input);
  keep(folder, "slowest", report.slowest.input);
  if (report.failure === undefined) continue;
  const file = keep(folder, "failed", report.failure.input);
  const { error } = report.failure;
  console.error(`${name}: ${error instanceof Error ? error.stack : messageOf(error)}\n${file}`);
  process.exitCode = 1;
}

function choose(): string | { names: readonly TargetName[]; seconds: number; seed: string } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: "string" }, seed: { type: "string" }, help: { type: "boolean" } },
  });
  const known = names.filter((name) => positionals.includes(name));
  const seconds = Number(values.seconds ?? 60);
  const isWrong = known.length < positionals.length || !(seconds > 0);
  if (isWrong || values.help === true) return usage;
  return { names: known.length > 0 ? known : names, seconds, seed: values.seed ?? "1" };
}

function inputsIn(folder: string): readonly Uint8Array[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(path.join(folder, name)));
}

function summaryOf({ executions, blocks, found, slowest }: FuzzReport): string {
  const slow = `slowest ${slowest.ms.toFixed(0)} ms for ${slowest.input.length} bytes`;
  return `${executions} executions, ${blocks} blocks, ${found.length} inputs reached new code, ${slow}`;
}

function keep(folder: string, why: string, input: Uint8Array): string {
  const name = createHash("sha256").update(input).digest("hex").slice(0, 16);
  const file = path.join(folder, `${why}-${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, input);
  return file;
}
