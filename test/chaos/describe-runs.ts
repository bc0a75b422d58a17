import { expect, test } from "vitest";
import { defaultFeatureGates, type FeatureGate } from "../../src/api/feature-gates.ts";
import { runAndReport } from "./run-and-report.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { findScenario } from "./scenarios/scenarios.ts";
import { runTrial } from "./run-trial.ts";
import { deepFreeze } from "../../src/testing/deep-freeze.ts";
import { runsFrom } from "./choose-runs.ts";
import { replayCommand } from "./summary.ts";

interface SeedRange {
  readonly first: number;
  readonly count: number;
}

interface RunOptions extends SeedRange {
  /** A gate that is on in all of them. */
  readonly gate?: FeatureGate;
}

/** So many runs of the scenarios in turn, none of which may violate an invariant; a test makes ten of them. */
export function describeRuns(scenarios: readonly Scenario[], { first, count, gate }: RunOptions): void {
  const names = scenarios.map(({ name }) => name).join(", ");
  const on = gate === undefined ? {} : { gates: { ...defaultFeatureGates, [gate]: true } };
  const flag = gate === undefined ? "" : ` --feature-gates ${gate}=true`;
  for (let from = first; from < first + count; from += 10) {
    test(`no invariant is violated in runs ${from} to ${from + 9} of ${names}${flag}`, async () => {
      for (const run of runsFrom(from, 10, scenarios)) {
        const { violation, error } = await runAndReport(run, { guard: deepFreeze, ...on });
        const replay = `${replayCommand(run)}${flag}`;
        expect({ replay, violation, error }).toEqual({ replay });
      }
    });
  }
}

/** The same runs once more: their recordings are the same to the byte. */
export function describeReplays(scenarios: readonly Scenario[], { first, count }: SeedRange): void {
  for (let from = first; from < first + count; from += 10) {
    test(`runs ${from} to ${from + 9} are the same when they are replayed`, async () => {
      for (const run of runsFrom(from, 10, scenarios)) {
        const [once, again] = [await digestOf(run), await digestOf(run)];
        expect({ replay: replayCommand(run), digest: again }).toEqual({
          replay: replayCommand(run),
          digest: once,
        });
      }
    });
  }
}

async function digestOf({ scenario: name, seed }: { readonly scenario: string; readonly seed: number }) {
  const scenario = findScenario(name) ?? expect.fail(`no scenario ${name}`);
  return (await runTrial({ scenario, seed })).recording.digest();
}
