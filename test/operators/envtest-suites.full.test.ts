import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltSuites, buildControllerRuntimeSuites, buildOwnSuite } from "./build-suites.ts";
import { type BundledPrograms, bundlePrograms } from "./bundled-program.ts";
import { essentialPackages } from "./controller-runtime-packages.ts";
import { runSuite } from "./run-suite.ts";

/** Long enough to build everything from nothing on a busy machine. */
const buildTimeoutMs = 1_800_000;

let programs: BundledPrograms;
beforeAll(async () => {
  programs = await bundlePrograms();
}, buildTimeoutMs);
afterAll(() => programs.remove());

describe("a suite that is written as users of envtest write theirs", () => {
  let built: BuiltSuites;
  beforeAll(async () => {
    built = await buildOwnSuite();
  }, buildTimeoutMs);

  test("runs green: kinds, a manager with a cache, a webhook, users with roles, tokens", async ({ skip }) => {
    if ("missing" in built) return skip(built.missing);
    for (const suite of built.suites) {
      const { isPassed, failures, output } = await runSuite(suite, { assets: programs.assets });
      expect(failures, output).toEqual([]);
      expect(isPassed, output).toBe(true);
    }
  });
});

describe("controller-runtime", () => {
  let built: BuiltSuites;
  beforeAll(async () => {
    built = await buildControllerRuntimeSuites(essentialPackages.map(({ name }) => name));
  }, buildTimeoutMs);

  test.for(essentialPackages)("$name: its own tests pass", { timeout: 900_000 }, async (wanted, { skip }) => {
    if ("missing" in built) return skip(built.missing);
    const suite = built.suites.find(({ name }) => name === wanted.name);
    if (suite === undefined) throw new Error(`${wanted.name} was not built`);
    const skipped = Object.keys(wanted.skipped ?? {});
    const result = await runSuite(suite, { assets: programs.assets, skipped });
    expect(result.failures, result.output.slice(-20_000)).toEqual([]);
    expect(result).toMatchObject({ isPassed: true, failed: 0 });
    expect(result.passed).toBeGreaterThan(0);
  });
});
