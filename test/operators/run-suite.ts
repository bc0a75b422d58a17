import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Suite } from "./build-suites.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";

const clock = new WallClock();

/** What became of a suite. */
export interface SuiteResult {
  readonly name: string;
  readonly isPassed: boolean;
  /** Counted by ginkgo; in suites that do not use it, what Go counts. */
  readonly passed: number;
  readonly failed: number;
  /** Not run because the suite says so. */
  readonly pending: number;
  readonly skipped: number;
  /** The names of the tests that failed. */
  readonly failures: readonly string[];
  /** Everything it printed. */
  readonly seconds: number;
  readonly output: string;
}

export interface RunOptions {
  /** The folder of the programs that envtest starts. */
  readonly assets: string;
  /** The Go tests that are left out, as regular expressions. */
  readonly skipped?: readonly string[];
  /** The Go tests that run, as a regular expression; absent: all. */
  readonly only?: string;
  /** Besides `KUBEBUILDER_ASSETS`. */
  readonly env?: Readonly<Record<string, string>>;
}

const longestMs = 900_000;

/**
 * Runs a suite as `go test` would. A test of ginkgo that fails is tried twice more: several of controller-runtime's wait 100 ms
 * for their own goroutines, which a busy machine does not always run in time.
 */
export function runSuite({ name, program, folder }: Suite, options: RunOptions): Promise<SuiteResult> {
  const { assets, skipped = [], only, env = {} } = options;
  const temporary = mkdtempSync(path.join(tmpdir(), "trimtab-suite-"));
  const words = name === "thin" ? [] : ["-ginkgo.no-color", "-ginkgo.flake-attempts=3"];
  const skips = skipped.length === 0 ? [] : [`-test.skip=${skipped.join("|")}`];
  const chosen = only === undefined ? [] : [`-test.run=${only}`];
  const began = clock.now();
  return new Promise((resolve) => {
    execFile(
      program,
      ["-test.v", ...words, ...skips, ...chosen],
      {
        cwd: folder,
        env: { ...process.env, TMPDIR: temporary, ...env, KUBEBUILDER_ASSETS: assets },
        maxBuffer: 2 ** 28,
        timeout: longestMs,
      },
      (error, stdout, stderr) => {
        rmSync(temporary, { recursive: true, force: true });
        const output = `${stdout}${stderr}`;
        resolve({
          name,
          isPassed: error === null,
          ...countsIn(output),
          failures: failuresIn(output),
          seconds: (clock.now() - began) / 1000,
          output,
        });
      },
    );
  });
}

function countsIn(output: string) {
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(summaryIn(output))?.[1] ?? 0);
  return {
    passed: count("Passed") || passedInGo(output),
    failed: count("Failed"),
    pending: count("Pending"),
    skipped: count("Skipped"),
  };
}

/** Counts the tests that have no parts. */
function passedInGo(output: string): number {
  const names = Array.from(output.matchAll(/^ *--- PASS: (\S+)/gm), ([, name = ""]) => name);
  return names.filter((name) => !names.some((other) => other.startsWith(`${name}/`))).length;
}

const summaryIn = (output: string) => output.split("\n").findLast((line) => / Passed \| /.test(line)) ?? "";

function failuresIn(output: string): readonly string[] {
  const lines = output.split("\n").map((line) => line.trim());
  return [...new Set(lines.filter((line) => /^(\[(FAIL|PANICKED!|TIMEDOUT)\]|--- FAIL:)/.test(line)))];
}
