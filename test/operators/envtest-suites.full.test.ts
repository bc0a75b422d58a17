import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltSuites, buildControllerRuntimeSuites, buildOwnSuite } from "./build-suites.ts";
import { type BundledPrograms, bundlePrograms } from "./bundled-program.ts";
import { essentialPackages, otherPackages } from "./controller-runtime-packages.ts";
import { runSuite, type SuiteResult } from "./run-suite.ts";

/** Long enough to build everything from nothing on a busy machine. */
const buildTimeoutMs = 1_800_000;

/** `npm run test:operators` runs all, which takes several minutes more. */
const packages =
  process.env["TRIMTAB_OPERATORS"] === "all" ? [...essentialPackages, ...otherPackages] : essentialPackages;

/** What kubernetes-sigs/controller-runtime issue 3083 asks for, by the tests of our suite. */
const collected = ["OwnedObjectsAreCollected"] as const;
const namespaces = ["NamespacesGo"] as const;
const workloads = ["DeploymentsBecomeAvailable", "JobsComplete"] as const;

let programs: BundledPrograms;
beforeAll(async () => {
  programs = await bundlePrograms();
}, buildTimeoutMs);
afterAll(() => programs.remove());

/** Fails with what the suite printed, whose end says why. */
function expectPassed({ isPassed, failed, failures, output }: SuiteResult): void {
  if (isPassed && failed === 0) return;
  expect.fail(`${failures.join("\n")}\n${output.slice(-20_000)}`);
}

describe("a suite that is written as users of envtest write theirs", () => {
  let built: BuiltSuites;
  beforeAll(async () => {
    built = await buildOwnSuite();
  }, buildTimeoutMs);

  test.for([
    [
      "",
      "kinds, a manager with a cache, webhooks, conversion, users with roles, tokens",
      ["OperatorSuite", "Conversion"],
    ],
    ["gc", "owned objects are collected", collected],
    ["namespaces", "a deleted namespace is emptied, and goes", namespaces],
    ["gc,namespaces", "both", [...collected, ...namespaces]],
    [
      "all",
      "Deployments become available and Jobs complete, too",
      [...collected, ...namespaces, ...workloads],
    ],
  ] as const)(
    "runs green with TRIMTAB_ENVTEST=%s: %s",
    { timeout: 900_000 },
    async ([added, , names], { skip }) => {
      if ("missing" in built) return skip(built.missing);
      for (const suite of built.suites) {
        const env = { TRIMTAB_ENVTEST: added };
        const result = await runSuite(suite, {
          assets: programs.assets,
          only: `^Test(${names.join("|")})$`,
          env,
        });
        process.stdout.write(
          `our suite with TRIMTAB_ENVTEST=${added}: ran in ${result.seconds.toFixed(1)} s\n`,
        );
        expectPassed(result);
        for (const name of names) expect(result.output).toContain(`--- PASS: Test${name}`);
      }
    },
  );
});

describe("controller-runtime", () => {
  let built: BuiltSuites;
  beforeAll(async () => {
    built = await buildControllerRuntimeSuites(packages.map(({ name }) => name));
  }, buildTimeoutMs);

  test.for(packages)("$name: its own tests pass", { timeout: 900_000 }, async (wanted, { skip }) => {
    if ("missing" in built) return skip(built.missing);
    const suite = built.suites.find(({ name }) => name === wanted.name);
    if (suite === undefined) throw new Error(`${wanted.name} was not built`);
    const skipped = Object.keys(wanted.skipped ?? {});
    const result = await runSuite(suite, { assets: programs.assets, skipped });
    const { passed, failed, pending, seconds } = result;
    process.stdout.write(
      `controller-runtime ${wanted.name}: ${passed} passed, ${failed} failed, ${pending} pending, left out: ${skipped.join(", ") || "none"}, in ${seconds.toFixed(1)} s\n`,
    );
    expectPassed(result);
    expect(result.passed).toBeGreaterThan(0);
  });
});
