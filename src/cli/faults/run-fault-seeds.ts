import type { Clock } from "../../machinery/clock/clock.ts";
import { type NarrowedFaults, narrowFaults } from "../../simulation/outside-faults/narrow-faults.ts";
import type { FaultRunSettings } from "./fault-run-settings.ts";
import { type DisturbedRun, type DisturbedRunOptions, runDisturbed } from "./run-disturbed.ts";

/** The run with one seed. */
export interface SeedRun {
  readonly seed: number;
  readonly run: DisturbedRun;
}

/** What came of the runs of a command with faults. */
export type FaultRunResult =
  | { readonly kind: "fails-without-faults"; readonly run: DisturbedRun }
  | {
      readonly kind: "tried";
      readonly runs: readonly SeedRun[];
      readonly narrowed: NarrowedSeed | undefined;
    };

/** The fewest faults of a seed that were found to break the command. */
export interface NarrowedSeed extends NarrowedFaults {
  readonly seed: number;
  /** Whether the command failed again with all faults of the seed: otherwise it was not narrowed. */
  readonly failedAgain: boolean;
  /** The last run that failed. */
  readonly run: DisturbedRun;
}

/** What the runs need, and where they report. */
export interface FaultSeedsOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
  /** Runs the command once; replaced in tests. */
  readonly runOnce?: (options: DisturbedRunOptions) => Promise<DisturbedRun>;
}

/** How often a seed that failed is tried again before it is said to depend on chance. */
const mostRepetitions = 3;

/** Runs a command without faults, then with those of each seed, and narrows the first seed that fails. */
export async function runFaultSeeds(
  settings: FaultRunSettings,
  { clock, signal, report, runOnce = runDisturbed }: FaultSeedsOptions,
): Promise<FaultRunResult> {
  const run = (seed: number, only?: readonly string[]) =>
    runOnce({ settings, seed, clock, signal, ...(only !== undefined && { only }) });
  const undisturbed = await run(settings.first, []);
  if (!undisturbed.passed) return { kind: "fails-without-faults", run: undisturbed };
  report(`without faults: passes, ${seconds(undisturbed)}`);
  const runs: SeedRun[] = [];
  for (let seed = settings.first; seed < settings.first + settings.seeds && !signal.aborted; seed++) {
    const tried = { seed, run: await run(seed) };
    runs.push(tried);
    report(seedText(tried));
    if (!tried.run.passed && settings.stopsAtFailure) break;
  }
  const failed = runs.find((each) => !each.run.passed);
  if (failed === undefined || settings.narrowRuns === 0 || signal.aborted)
    return { kind: "tried", runs, narrowed: undefined };
  return { kind: "tried", runs, narrowed: await narrowSeed(failed, settings, { run, report }) };
}

interface Narrowing {
  readonly run: (seed: number, only: readonly string[]) => Promise<DisturbedRun>;
  readonly report: (text: string) => void;
}

async function narrowSeed(
  { seed, run: failed }: SeedRun,
  { narrowRuns }: FaultRunSettings,
  { run, report }: Narrowing,
): Promise<NarrowedSeed> {
  const all = [...new Set(failed.injected.map(({ identity }) => identity))];
  report(`narrowing the ${all.length} faults of seed ${seed}`);
  let last = failed;
  const fails = async (identities: readonly string[]) => {
    const tried = await run(seed, identities);
    if (!tried.passed) last = tried;
    report(`  ${identities.length} of them: ${tried.passed ? "passes" : "fails"}`);
    return !tried.passed;
  };
  let failedAgain = false;
  for (let time = 0; time < mostRepetitions && !failedAgain; time++) failedAgain = await fails(all);
  const narrowed = failedAgain
    ? await narrowFaults(all, fails, narrowRuns)
    : { identities: all, runs: 0, isSmallest: false };
  return { ...narrowed, seed, failedAgain, run: last };
}

/** Returns the line about a seed. */
function seedText({ seed, run }: SeedRun): string {
  const { passed, ending, injected } = run;
  const faults = `${injected.length} faults`;
  return `seed ${seed}: ${passed ? "passes" : `FAILS (${ending})`}, ${faults}, ${seconds(run)}`;
}

function seconds({ tookMs }: DisturbedRun): string {
  return `${(tookMs / 1000).toFixed(1)} s`;
}
