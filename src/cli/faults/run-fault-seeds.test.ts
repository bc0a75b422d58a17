import { expect, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import type { InjectedFault } from "../../simulation/outside-faults/fault-log.ts";
import type { FaultRunSettings } from "./fault-run-settings.ts";
import { faultRunText } from "./fault-run-text.ts";
import type { DisturbedRun, DisturbedRunOptions } from "./run-disturbed.ts";
import { runFaultSeeds } from "./run-fault-seeds.ts";

const settings: FaultRunSettings = {
  words: ["go", "test"],
  first: 1,
  seeds: 3,
  profile: "rough",
  isEnvtest: false,
  nodes: 3,
  timeoutMs: 1000,
  stopsAtFailure: false,
  narrowRuns: 60,
};

const faultOf = (number: number): InjectedFault => ({
  fault: "conflict",
  identity: `conflict ${number}`,
  time: "2026-11-19T01:00:00.000000Z",
  user: "admin",
  userAgent: "operator/1",
  verb: "update",
  resource: "pods",
  object: "default/web",
  request: number,
  revision: 40 + number,
});

/** A command that each seed disturbs by eight faults, and that fails with some of them. */
function command(fails: (seed: number, faults: ReadonlySet<number>) => boolean) {
  const runs: DisturbedRunOptions[] = [];
  const runOnce = async (options: DisturbedRunOptions): Promise<DisturbedRun> => {
    runs.push(options);
    const all = Array.from({ length: 8 }, (_, index) => faultOf(index + 1));
    const injected = all.filter(({ identity }) => options.only?.includes(identity) ?? true);
    const passed = !fails(options.seed, new Set(injected.map(({ request }) => request)));
    return { passed, ending: `exit code ${passed ? 0 : 1}`, output: "it broke\n", injected, tookMs: 100 };
  };
  return { runs, runOnce };
}

async function tried(
  more: Partial<FaultRunSettings>,
  { runOnce }: Pick<ReturnType<typeof command>, "runOnce">,
) {
  const lines: string[] = [];
  const signal = new AbortController().signal;
  const report = (text: string) => void lines.push(text);
  const result = await runFaultSeeds(
    { ...settings, ...more },
    { clock: new VirtualClock(), signal, report, runOnce },
  );
  return { lines, text: faultRunText(result) };
}

test("a command that passes with every seed has passed", async () => {
  const { lines, text } = await tried(
    {},
    command(() => false),
  );
  expect(lines).toEqual([
    "without faults: passes, 0.1 s",
    "seed 1: passes, 8 faults, 0.1 s",
    "seed 2: passes, 8 faults, 0.1 s",
    "seed 3: passes, 8 faults, 0.1 s",
  ]);
  expect(text).toBe("It passes with the faults of 3 seeds.");
});

test("a failing seed is narrowed to the faults that break the command together", async () => {
  const { lines, text } = await tried(
    {},
    command((seed, faults) => seed === 2 && faults.has(3) && faults.has(7)),
  );
  expect(lines).toContain("seed 2: FAILS (exit code 1), 8 faults, 0.1 s");
  expect(text).toMatch(/Seed 2 fails with 2 faults, none of which can be left out \(\d+ runs\):/);
  expect(text).toContain("it broke");
  const rows = text.split("\n").filter((line) => line.startsWith("conflict "));
  expect(rows).toEqual([expect.stringMatching(/#3 +43$/), expect.stringMatching(/#7 +47$/)]);
  expect(text).toMatch(/1 of 3 seeds fails: 2$/);
});

test("a command that fails without faults is not run with them", async () => {
  const failing = command(() => true);
  const { text } = await tried({}, failing);
  expect(failing.runs.map(({ only }) => only)).toEqual([[]]);
  expect(text).toMatch(/The command fails without any fault \(exit code 1\): mend that first\.$/);
});

test("a failure that the same faults do not bring back is said to depend on chance", async () => {
  let failures = 0;
  const { text } = await tried(
    {},
    command((seed) => seed === 2 && failures++ === 0),
  );
  expect(text).toContain("Seed 2 failed, but not again with the same faults: it depends on chance, too.");
});

test("it stops at the first failure, and does not narrow, if told so", async () => {
  const failing = command((seed, faults) => seed === 2 && faults.size > 0);
  const { lines } = await tried({ stopsAtFailure: true, narrowRuns: 0 }, failing);
  expect(failing.runs.map(({ seed }) => seed)).toEqual([1, 1, 2]);
  expect(lines.at(-1)).toBe("seed 2: FAILS (exit code 1), 8 faults, 0.1 s");
});
