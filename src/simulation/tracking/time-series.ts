import type { Instant } from "../../api/time.ts";
import type { BusyPods } from "./busy-pods.ts";
import type { ClusterTracker } from "./cluster-tracker.ts";
import { zoneLabel } from "../../api/well-known.ts";
import { type TalliedPodState, talliedPodStates, type PodTally } from "./pod-tally.ts";
import type { WorkloadLoads } from "./workload-loads.ts";

/** How a workload changed over time: one number a sample in each list. */
export interface WorkloadSeries extends Record<TalliedPodState, number[]> {
  /** The desired number of Pods. */
  readonly desired: number[];
  /** The most Pods a rollout may have; `null` where there is no such budget. */
  readonly budget: (number | null)[];
  /** The most Pods, and terminating ones, between the sample before and this one. */
  readonly maxPods: number[];
  readonly maxTerminating: number[];
  /** Pods with work to do. */
  readonly busy: number[];
  readonly skew: number[];
  /** Active Pods by zone. */
  readonly zones: Record<string, number[]>;
  /** Its load by metric, in the unit of the metric; none where it has no load. */
  readonly loads: Record<string, number[]>;
}

/** The state of a run at one moment. */
export interface Sampled {
  readonly tracker: ClusterTracker;
  readonly busy: BusyPods;
  /** Absent where they are not followed. */
  readonly loads: WorkloadLoads | undefined;
  readonly now: Instant;
}

/** Samples at equal intervals, from the beginning to the end. */
export interface TimeSeries {
  readonly stepSeconds: number;
  readonly samples: number;
  readonly workloads: Readonly<Record<string, WorkloadSeries>>;
}

const mostSamples = 720;
const stepsSeconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];

/** Returns the interval between the samples of a run, in milliseconds. */
export function sampleStepMs(durationMs: number): number {
  const fitting = stepsSeconds.find((seconds) => durationMs / 1000 / seconds <= mostSamples);
  return (fitting ?? 86_400) * 1000;
}

/** Samples the workloads of a cluster. */
export class TimeSeriesSampler {
  readonly #workloads = new Map<string, WorkloadSeries>();
  #samples = 0;

  sample({ tracker, busy, loads, now }: Sampled): void {
    const busyCounts = countBusy(tracker, busy, now);
    for (const [workload, tally] of tracker.workloads) {
      const series = this.#workloads.get(workload) ?? emptySeries();
      this.#workloads.set(workload, series);
      this.#sampleCounts(series, tally);
      const { desired = 0, budget = null } = tracker.progress(workload) ?? {};
      this.#put(series.desired, desired, 0);
      this.#put(series.budget, budget, null);
      this.#put(series.busy, busyCounts.get(workload) ?? 0, 0);
      const zones = tracker.domains(zoneLabel);
      this.#put(series.skew, tally.skew(zoneLabel, zones), 0);
      for (const zone of new Set([...Object.keys(series.zones), ...zones]))
        this.#put((series.zones[zone] ??= []), tally.inDomain(zoneLabel, zone), 0);
      this.#sampleLoads(series, loads?.get(workload));
    }
    this.#samples++;
  }

  #sampleCounts(series: WorkloadSeries, tally: PodTally): void {
    for (const state of talliedPodStates) this.#put(series[state], tally.counts[state], 0);
    this.#put(series.maxPods, tally.peakPods, 0);
    this.#put(series.maxTerminating, tally.peakTerminating, 0);
    tally.resetPeaks();
  }

  #sampleLoads(series: WorkloadSeries, loads: ReadonlyMap<string, number> = new Map()): void {
    for (const metric of new Set([...Object.keys(series.loads), ...loads.keys()]))
      this.#put((series.loads[metric] ??= []), inMilli(loads.get(metric) ?? 0), 0);
  }

  /** Adds the value of this sample; a list that is new has none for the samples before. */
  #put<T>(list: T[], value: T, missing: T): void {
    while (list.length < this.#samples) list.push(missing);
    list.push(value);
  }

  get samples(): number {
    return this.#samples;
  }

  /** Forgets the first samples. */
  forgetFirst(count: number): void {
    for (const { zones, loads, ...series } of this.#workloads.values())
      for (const list of [series, zones, loads].flatMap((lists) => Object.values(lists)))
        list.splice(0, count);
    this.#samples = Math.max(0, this.#samples - count);
  }

  result(stepMs: number): TimeSeries {
    return {
      stepSeconds: stepMs / 1000,
      samples: this.#samples,
      workloads: Object.fromEntries(this.#workloads),
    };
  }
}

/** Metrics are measured in thousandths. */
function inMilli(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function emptySeries(): WorkloadSeries {
  return {
    pending: [],
    notReady: [],
    ready: [],
    terminating: [],
    desired: [],
    budget: [],
    maxPods: [],
    maxTerminating: [],
    busy: [],
    skew: [],
    zones: {},
    loads: {},
  };
}

function countBusy(tracker: ClusterTracker, busy: BusyPods, now: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (busy.isEmpty) return counts;
  for (const { pod, workloads } of tracker.pods()) {
    const workload = workloads.at(-1);
    if (workload !== undefined && busy.workOf(pod, now) !== undefined)
      counts.set(workload, (counts.get(workload) ?? 0) + 1);
  }
  return counts;
}
