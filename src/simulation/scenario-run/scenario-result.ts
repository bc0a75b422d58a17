import { formatTime, type Instant } from "../../api/time.ts";
import type { AssertionOutcome } from "../assertions/assertion-check.ts";
import type { RemovedPod } from "../tracking/removed-pods.ts";
import type { TimeSeries } from "../tracking/time-series.ts";
import type { WorkloadChange } from "../tracking/workload-progress.ts";

/** When something was: seconds from the beginning, and the time of the cluster. */
export interface Moment {
  readonly atSeconds: number;
  readonly time: string;
}

/** The result of one assertion. */
export interface AssertionResult {
  readonly name: string;
  readonly passed: boolean;
  /** The number that came nearest to a limit or broke it, or how long completion took, in seconds. */
  readonly extreme?: Moment & { readonly value: number };
  readonly failure?: Moment & {
    readonly message: string;
    /** What changed at that moment. */
    readonly change?: string;
    /** The decision that it came from. */
    readonly decision?: Moment & { readonly by: string; readonly text: string };
    /** The last event of the scenario before it. */
    readonly event?: Moment & { readonly text: string };
  };
}

/** Something the scenario did. */
export interface EventResult extends Moment {
  readonly text: string;
  /** What the API server refused it with. */
  readonly error?: string;
  /** Whether that is a failure of the run. */
  readonly passed: boolean;
}

/** The numbers of one workload over the whole run. */
export interface WorkloadSummary {
  readonly podHours: number;
  readonly removedPods: number;
  readonly busyPodsRemoved: number;
  /** The time that removed busy Pods had spent on unfinished tasks. */
  readonly workLostSeconds: number;
  readonly mostPods: number;
  readonly mostTerminating: number;
  readonly highestSkew: number;
}

/** A change of a workload, and how long it took to be complete. */
export interface CompletionResult {
  readonly workload: string;
  readonly fromSeconds: number;
  /** Absent: it was not complete when the run ended. A change that another overtook is complete with that one. */
  readonly tookSeconds?: number;
}

export type RemovedPodResult = Moment &
  Omit<RemovedPod, "at" | "cause" | "workLostMs"> & { readonly workLostSeconds?: number };

/** The result of one run of a scenario: plain data, equal for the same scenario and seed. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly seed: number;
  readonly durationSeconds: number;
  readonly passed: boolean;
  readonly assertions: readonly AssertionResult[];
  readonly events: readonly EventResult[];
  readonly workloads: Readonly<Record<string, WorkloadSummary>>;
  readonly completions: readonly CompletionResult[];
  readonly removedPods: readonly RemovedPodResult[];
  /** Absent where many seeds are run: only the first has it. */
  readonly series?: TimeSeries;
}

/** A moment of a run that began at `start`. */
export function momentOf(at: Instant, start: Instant): Moment {
  return { atSeconds: (at - start) / 1000, time: formatTime(at) };
}

/** The result of an assertion, in the time of the run. */
export function assertionResult(
  { title, failure, extreme }: AssertionOutcome,
  start: Instant,
  events: readonly EventResult[],
): AssertionResult {
  const passed = failure === undefined;
  const shown = extreme && { ...momentOf(extreme.at, start), value: extreme.value };
  const base = { name: title, passed, ...(shown !== undefined && { extreme: shown }) };
  if (failure === undefined) return base;
  const { message, change, decision } = failure;
  const moment = momentOf(failure.at, start);
  const event = events.findLast(({ atSeconds }) => atSeconds <= moment.atSeconds);
  return {
    ...base,
    failure: {
      ...moment,
      message,
      ...(change !== undefined && { change }),
      ...(decision !== undefined && {
        decision: { ...momentOf(decision.at, start), by: decision.by, text: decision.text },
      }),
      ...(event !== undefined && {
        event: { atSeconds: event.atSeconds, time: event.time, text: event.text },
      }),
    },
  };
}

/** A removed Pod, in the time of the run. */
export function removedPodResult(
  { at, cause: _cause, workLostMs, ...removed }: RemovedPod,
  start: Instant,
): RemovedPodResult {
  return {
    ...momentOf(at, start),
    ...removed,
    ...(workLostMs !== undefined && { workLostSeconds: workLostMs / 1000 }),
  };
}

/** A completion, in the time of the run. */
export function completionResult(
  { workload, from, until }: WorkloadChange,
  start: Instant,
): CompletionResult {
  const fromSeconds = (from - start) / 1000;
  return { workload, fromSeconds, ...(until !== undefined && { tookSeconds: (until - from) / 1000 }) };
}
