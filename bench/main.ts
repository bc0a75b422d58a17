import os from "node:os";
import { benches } from "./benches.ts";
import type { Measure } from "./measure.ts";
import { inProcessOfItsOwn } from "./run-bench.ts";

const words = process.argv.slice(2);
const isForPrograms = words.includes("--json");
const flags = new Set(["--json", "--update", "--short"]);
const named = words.filter((word) => !flags.has(word));
const wanted = named.length > 0 ? named : Object.keys(benches).filter((name) => name !== "compare");
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
    : wanted.flatMap((name) => inProcessOfItsOwn(name));
console.log(
  isForPrograms ? JSON.stringify({ machine, results }, null, 2) : `${machine}\n\n${formatTable(results)}`,
);

/** The measures as a table. */
function formatTable(measures: readonly Measure[]): string {
  const isCompared = measures.some(({ kubernetes }) => kubernetes !== undefined);
  const rows = measures.map(({ what, value, unit, ...others }) => [
    what,
    `${show(value)} ${unit}`,
    ...[...(isCompared ? [others.kubernetes] : []), others.bar, others.goal].map((number) =>
      number === undefined ? "–" : show(number),
    ),
  ]);
  const head = ["what", "measured", ...(isCompared ? ["Kubernetes"] : []), "bar", "goal"];
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return table.map((row) => row.map(pad).join("  ")).join("\n");
}

function show(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
