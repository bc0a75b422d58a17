import { spawnSync } from "node:child_process";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { benches } from "./benches.ts";
import type { Measure } from "./measure.ts";

const words = process.argv.slice(2);
const isForPrograms = words.includes("--json");
const flags = new Set(["--json", "--update"]);
const named = words.filter((word) => !flags.has(word));
const wanted = named.length > 0 ? named : Object.keys(benches);
const unknown = wanted.filter((name) => benches[name] === undefined);
if (unknown.length > 0) {
  console.error(`unknown bench ${unknown.join(", ")}; one of: ${Object.keys(benches).join(", ")}`);
  process.exit(1);
}

const machine = `${os.cpus()[0]?.model.trim() ?? "unknown CPU"}, ${os.availableParallelism()} cores, Node ${process.versions.node}`;
const [only, ...others] = wanted;
const results =
  only !== undefined && others.length === 0
    ? ((await benches[only]?.()) ?? [])
    : wanted.flatMap(inProcessOfItsOwn);
console.log(
  isForPrograms ? JSON.stringify({ machine, results }, null, 2) : `${machine}\n\n${formatTable(results)}`,
);

/** Runs a bench in its own process, so that memory and compiled code of one do not affect the next. */
function inProcessOfItsOwn(name: string): readonly Measure[] {
  const words = [...process.execArgv, fileURLToPath(import.meta.url), name, "--json"];
  const { stdout, status } = spawnSync(process.execPath, words, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 24,
  });
  if (status !== 0) throw new Error(`the bench ${name} failed`);
  return (JSON.parse(stdout) as { readonly results: readonly Measure[] }).results;
}

/** The measures as a table. */
function formatTable(measures: readonly Measure[]): string {
  const rows = measures.map((measure) => [
    measure.what,
    `${show(measure.value)} ${measure.unit}`,
    measure.bar === undefined ? "–" : show(measure.bar),
    measure.goal === undefined ? "–" : show(measure.goal),
  ]);
  const table = [["what", "measured", "bar", "goal"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    )
    .join("\n");
}

function show(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
