// The same scenario and seed give the same bytes, twice and in every version of Node. `TRIMTAB_NODES` names other Node
// programs to compare with, with colons; without it, Node 24 is taken from npm where that can be had.
import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compiled } from "../durable/compiled.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const options = { cwd: root, maxBuffer: 256 * 1024 * 1024 };
const named = (process.env["TRIMTAB_NODES"] ?? "").split(path.delimiter).filter((node) => node !== "");

const words = [
  compiled("src/cli/main.ts"),
  "simulate",
  "examples/game-shards/scenario.yaml",
  "examples/imbalance-cycle/scenario.yaml",
  "-o",
  "json",
];

test("two runs over several seeds, in threads, print the same bytes", async () => {
  const first = await run(process.execPath, words, options);
  const second = await run(process.execPath, [...words, "--threads", "1"], options);
  expect(second.stdout).toBe(first.stdout);
  expect(first.stdout.length).toBeGreaterThan(10_000);
  expect(JSON.parse(first.stdout)).toMatchObject({ passed: true, results: { length: 6 } });
});

test("another version of Node prints the same bytes", async ({ skip }) => {
  const commands = named.length > 0 ? named.map((node) => [node]) : [["npx", "-y", "node@24"]];
  const own = await run(process.execPath, words, options);
  for (const [program = "", ...flags] of commands) {
    // Without a network, npm would try for longer than the test may take.
    const version = await run(program, [...flags, "--version"], { ...options, timeout: 60_000 }).catch(
      (error: unknown) => String(error),
    );
    if (typeof version === "string") return skip(`${program} cannot be run: ${version.split("\n")[0] ?? ""}`);
    const other = await run(program, [...flags, ...words], options);
    expect(other.stdout).toBe(own.stdout);
  }
});

test("failing seeds are named, and one of them can be repeated", async () => {
  const failing = ["test/simulate/failing.yaml", "--seeds", "4"];
  const outcome = await run(
    process.execPath,
    [compiled("src/cli/main.ts"), "simulate", ...failing],
    options,
  ).catch(
    (error: unknown) => error as { readonly code: number; readonly stdout: string; readonly stderr: string },
  );
  expect(outcome).toMatchObject({ code: 1, stderr: "" });
  expect(outcome.stdout).toMatch(/^FAIL {2}failing: 0 of 4 seeds pass\n/);
  expect(outcome.stdout).toContain("  failing seeds: 1, 2, 3, 4\n");
  expect(outcome.stdout).toContain("trimtab simulate test/simulate/failing.yaml --seed 1 --seeds 1");
});

test("a comparison runs both files on the same seeds and prints the same bytes again", async () => {
  const files = ["examples/game-shards/scenario.yaml", "examples/imbalance-cycle/scenario.yaml"];
  const seeds = ["--seed", "5", "--seeds", "3"];
  const compare = [compiled("src/cli/main.ts"), "simulate", "--compare", ...files, ...seeds, "-o", "json"];
  const first = await run(process.execPath, compare, options);
  const second = await run(process.execPath, [...compare, "--threads", "1"], options);
  expect(second.stdout).toBe(first.stdout);
  const bothRan = { a: expect.anything() as unknown, b: expect.anything() as unknown };
  expect(JSON.parse(first.stdout)).toMatchObject({
    seeds: [5, 6, 7].map((seed) => ({ seed, ...bothRan })),
    measures: { podHours: { difference: { count: 3 } } },
  });
});
