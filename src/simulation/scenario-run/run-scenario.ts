import type { Recording } from "../recording/recording.ts";
import type { ScenarioDocument } from "../scenario-files/scenario-document.ts";
import { playEvents } from "./play-events.ts";
import {
  type ScenarioResult,
  assertionResult,
  completionResult,
  type EventResult,
  removedPodResult,
  type WorkloadSummary,
} from "./scenario-result.ts";
import { startScenario } from "./start-scenario.ts";
import type { Instant } from "../../api/time.ts";
import type { AssertionCheck } from "../assertions/assertion-check.ts";
import type { ClusterTracker } from "../tracking/cluster-tracker.ts";
import type { RemovedPods } from "../tracking/removed-pods.ts";
import { sampleStepMs, type TimeSeriesSampler } from "../tracking/time-series.ts";
import { messageOf } from "../../api/message-of.ts";
import type { SeedOutcome, SeedTask } from "./run-scenario-seeds.ts";

export interface RunScenarioOptions {
  readonly seed: number;
  /** Keeps every revision and decision, for `--record`. */
  readonly isRecorded?: boolean;
  /** Leaves out the time series, which are large. */
  readonly withoutSeries?: boolean;
  /** Ends the run, which rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ScenarioRun {
  readonly result: ScenarioResult;
  /** Empty unless the run was recorded. */
  readonly recording: Recording;
}

/** Runs a scenario in virtual time; the same scenario and seed give the same result, to the byte. */
export async function runScenario(
  scenario: ScenarioDocument,
  { signal, ...options }: RunScenarioOptions,
): Promise<ScenarioRun> {
  const started = await startScenario(scenario, options);
  const { run, cluster } = started;
  await playEvents(started, signal);
  await started.stop();
  if (run.broken !== undefined) throw run.broken;
  return { result: summarizeRun(run, options.seed), recording: cluster.recording };
}

/** The final state of a run. */
interface EndedRun {
  readonly scenario: ScenarioDocument;
  readonly start: Instant;
  readonly durationMs: number;
  readonly tracker: ClusterTracker;
  readonly removed: RemovedPods;
  readonly checks: readonly AssertionCheck[];
  readonly events: readonly EventResult[];
  readonly sampler: TimeSeriesSampler;
  readonly withoutSeries: boolean;
}

/** Makes the result of a run. */
function summarizeRun(run: EndedRun, seed: number): ScenarioResult {
  const { scenario, start, durationMs, tracker, removed, checks, events, sampler } = run;
  const assertions = checks.map((check) => assertionResult(check.outcome(), start, events));
  const series = sampler.result(sampleStepMs(durationMs));
  const removedPods = removed.removed.map((each) => removedPodResult(each, start));
  return {
    scenario: scenario.name,
    seed,
    durationSeconds: durationMs / 1000,
    passed: assertions.every(({ passed }) => passed) && events.every(({ passed }) => passed),
    assertions,
    events,
    workloads: Object.fromEntries(
      [...tracker.workloads].map(([workload, tally]) => {
        const lost = removedPods.filter((each) => each.workload === workload && each.isBusy);
        const summary: WorkloadSummary = {
          podHours: tally.podMs(start + durationMs) / 3_600_000,
          removedPods: tally.removed,
          busyPodsRemoved: tally.busyRemoved,
          workLostSeconds: lost.reduce((sum, { workLostSeconds = 0 }) => sum + workLostSeconds, 0),
          mostPods: tally.mostPods,
          mostTerminating: tally.mostTerminating,
          highestSkew: highestIn(series.workloads[workload]?.skew),
        };
        return [workload, summary];
      }),
    ),
    completions: tracker.completions.map((each) => completionResult(each, start)),
    removedPods,
    ...(!run.withoutSeries && { series }),
  };
}

function highestIn(numbers: readonly number[] = []): number {
  return numbers.reduce((highest, each) => Math.max(highest, each), 0);
}

/** Runs one task; an error of the simulation itself is an outcome, too. Rejects only when the signal aborts. */
export async function runTask(
  { scenario, seed, withoutSeries }: SeedTask,
  signal?: AbortSignal,
): Promise<SeedOutcome> {
  try {
    const { result } = await runScenario(scenario, { seed, withoutSeries, signal });
    return { ok: true, result };
  } catch (error) {
    signal?.throwIfAborted();
    return { ok: false, scenario: scenario.name, seed, error: messageOf(error) };
  }
}
