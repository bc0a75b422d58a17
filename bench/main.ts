import os from "node:os";
import { parseArgs } from "node:util";
import { benches } from "./benches.ts";
import { formatTable } from "./format-table.ts";
import type { Measure } from "./measure.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: "boolean" } } });
const wanted = positionals.length > 0 ? positionals : Object.keys(benches);
const unknown = wanted.filter((name) => benches[name] === undefined);
if (unknown.length > 0) {
  console.error(`unknown bench ${unknown.join(", ")}; one of: ${Object.keys(benches).join(", ")}`);
  process.exit(1);
}

const machine = `${os.cpus()[0]?.model.trim() ?? "unknown CPU"}, ${os.availableParallelism()} cores, Node ${process.versions.node}`;
const results: Measure[] = [];
for (const name of wanted) results.push(...((await benches[name]?.()) ?? []));
console.log(
  values.json === true
    ? JSON.stringify({ machine, results }, null, 2)
    : `${machine}\n\n${formatTable(results)}`,
);
