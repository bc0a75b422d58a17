import type { Instant } from "../../api/time.ts";
import type { AssertionCheck } from "../assertions/assertion-check.ts";
import type { ScenarioDocument } from "../scenario-files/scenario-document.ts";
import type { ClusterTracker } from "../tracking/cluster-tracker.ts";
import type { RemovedPods } from "../tracking/removed-pods.ts";
import { sampleStepMs, type TimeSeriesSampler } from "../tracking/time-series.ts";
import {
  assertionResult,
  completionResult,
  type EventResult,
  removedPodResult,
  type ScenarioResult,
  type WorkloadSummary,
} from "./scenario-result.ts";

/** The final state of a run. */
export interface EndedRun {
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
export function summarizeRun(run: EndedRun, seed: number): ScenarioResult {
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
