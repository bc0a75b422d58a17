// Runs what docs/reliability.md reports, each part for its share of the time, and prints the table with date, commit and machine:
// `npm run reliability -- --hours 8 [--write]`. A part that does not come to the end of its plan says how far it came.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import path from "node:path";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
  options: {
    hours: { type: "string", default: "1" },
    nodes: { type: "string", default: "1000" },
    pods: { type: "string", default: "20000" },
    seed: { type: "string", default: "0" },
    write: { type: "boolean" },
  },
});
const hours = Number(values.hours);
if (!(hours > 0)) {
  console.error("usage: npm run reliability -- [--hours N] [--nodes N] [--pods N] [--seed FIRST] [--write]");
  process.exit(2);
}
const seconds = hours * 3600;

/** Every part with its share of the time, and what it would do with enough of it. */
const parts = [
  { name: "chaos", share: 0.25, plan: "10,000 seeds", run: chaos },
  { name: "kills", share: 0.2, plan: "1,000 kills", run: kills },
  { name: "hostile requests", share: 0.2, plan: "1,000,000 requests", run: flood },
  { name: "soak", share: 0.35, plan: `${values.nodes} nodes and ${values.pods} Pods, for hours`, run: soak },
];

function start(program, args) {
  const file = path.join(root, ".build/test", program, "main.js");
  const began = performance.now();
  const result = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (result.error !== undefined) throw result.error;
  const lines = result.stdout.trim().split("\n");
  return {
    passed: result.status === 0,
    lines,
    errors: result.stderr.trim(),
    seconds: (performance.now() - began) / 1000,
  };
}

function chaos(available) {
  const seeds = ["--seeds", "10000", "--seed", values.seed];
  const result = start("chaos", [...seeds, "--seconds", String(Math.max(10, Math.floor(available)))]);
  // A line for each scenario comes first; what follows sums them up, and names what failed.
  const sum = result.lines.findIndex((line) => /^\d+ runs in /.test(line));
  return { ...result, lines: result.lines.slice(sum).filter((line) => line.trim() !== "") };
}

function kills(available) {
  return start("histories", ["--kills", "1000", "--seconds", String(Math.max(10, Math.floor(available)))]);
}

function flood(available) {
  return start("hostile", [
    "--requests",
    "1000000",
    "--seconds",
    String(Math.max(10, Math.floor(available))),
  ]);
}

function soak(available) {
  const size = ["--nodes", values.nodes, "--pods", values.pods];
  return start("soak", ["--minutes", String(Math.max(0.2, available / 60)), ...size]);
}

const rows = [];
let failed = 0;
for (const { name, share, plan, run } of parts) {
  console.error(`trimtab: ${name}, for about ${Math.round(seconds * share)} s`);
  const { passed, lines, errors, seconds: took } = run(seconds * share);
  if (!passed) {
    failed += 1;
    console.error(errors);
  }
  const state = passed ? "passed" : "FAILED";
  const done = lines.map((line) => line.trim()).join("; ");
  const row = `| ${name} | ${plan} | ${done.replaceAll("|", "/")} | ${took.toFixed(0)} s | ${state} |`;
  console.error(row); // whoever interrupts the run has these
  rows.push(row);
}

const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
const date = new Date().toISOString().slice(0, 10);
const [cpu] = os.cpus();
const machine = `${os.cpus().length} × ${cpu?.model ?? "unknown"}, ${Math.round(os.totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, load ${os.loadavg()[2].toFixed(1)}`;
const report = [
  `### ${date}, commit ${commit}, asked for ${values.hours} h`,
  "",
  `${machine}.`,
  "",
  "| part | planned | done | took | result |",
  "| ---- | ------- | ---- | ---- | ------ |",
  ...rows,
  "",
].join("\n");
console.log(report);
if (values.write === true) {
  const file = path.join(root, "docs/reliability.md");
  const heading = "## Runs\n";
  const page = readFileSync(file, "utf8");
  const plans = page.slice(page.indexOf(heading), page.indexOf("\n### "));
  writeFileSync(
    file,
    page.replace(plans, () => `${plans}\n${report}`),
  );
  execFileSync(process.execPath, [path.join(root, "node_modules/oxfmt/bin/oxfmt"), file], {
    stdio: "inherit",
  });
}
process.exitCode = failed > 0 ? 1 : 0;
