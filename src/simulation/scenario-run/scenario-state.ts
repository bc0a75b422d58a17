import { defaultFeatureGates, type FeatureGates, parseFeatureGates } from "../../api/feature-gates.ts";
import type { Instant } from "../../api/time.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import type { AssertionCheck } from "../assertions/assertion-check.ts";
import { assertionChecks } from "../assertions/assertion-checks.ts";
import type { Recording } from "../recording/recording.ts";
import type { ScenarioDocument } from "../scenario-files/scenario-document.ts";
import { scenarioDuration } from "../scenario-files/scenario-times.ts";
import type { SimulatedClusterOptions } from "../simulated-cluster.ts";
import { simulatedClusterOf } from "../snapshot/load-snapshot.ts";
import type { Assumptions } from "../snapshot/simulated-objects.ts";
import { BusyPods } from "../tracking/busy-pods.ts";
import { ClusterTracker, type ClusterTrackerOptions, type PodChange } from "../tracking/cluster-tracker.ts";
import { DecisionJournal } from "../tracking/decision-journal.ts";
import { type RemovedPod, RemovedPods } from "../tracking/removed-pods.ts";
import { TimeSeriesSampler } from "../tracking/time-series.ts";
import type { StartedDrain } from "./perform-event.ts";
import type { EventResult } from "./scenario-result.ts";

/** A scenario while it runs. */
export interface ScenarioState {
  readonly scenario: ScenarioDocument;
  readonly seed: string | number;
  readonly clock: VirtualClock;
  /** What the cluster is started with where there is a snapshot. */
  readonly initial: Partial<SimulatedClusterOptions>;
  readonly start: Instant;
  readonly durationMs: number;
  readonly tracker: ClusterTracker;
  readonly busy: BusyPods;
  readonly journal: DecisionJournal;
  readonly removed: RemovedPods;
  readonly checks: readonly AssertionCheck[];
  /** The checks that are open, by their order. */
  readonly open: Set<AssertionCheck>;
  readonly events: EventResult[];
  readonly drains: StartedDrain[];
  readonly sampler: TimeSeriesSampler;
  readonly podChanged: PodListener | undefined;
  /** Whether the result has no time series: then loads are not followed. */
  readonly withoutSeries: boolean;
  gates: FeatureGates;
  /** What the scenario does at this moment. */
  acting: string | undefined;
  /** Absent until the cluster has started, and unless the run is recorded. */
  recording: Recording | undefined;
  /** What the simulation itself failed with in the background. */
  broken: Error | undefined;
}

/** How a scenario is run, besides what it says itself. */
export interface PrepareOptions {
  readonly seed: string | number;
  /** Keeps every revision and decision, for `--record`. */
  readonly isRecorded?: boolean;
  /** Leaves out the time series, which are large. */
  readonly withoutSeries?: boolean;
  /** About the Pods of the snapshot. */
  readonly assumptions?: Assumptions;
  readonly tracking?: Pick<ClusterTrackerOptions, "hasBarePods">;
  /** Makes the clock, which begins with that of a snapshot if there is one; absent: one that jumps. */
  readonly newClock?: (start: Instant | undefined) => VirtualClock;
  /** Hears every change of a Pod. */
  readonly podChanged?: PodListener;
}

/** Hears a change of a Pod; a removal if it is the beginning of one. */
export type PodListener = (change: PodChange, removal: RemovedPod | undefined, at: Instant) => void;

/** The state of a scenario before its cluster is started. */
export function prepareScenario(scenario: ScenarioDocument, options: PrepareOptions): ScenarioState {
  const { seed, isRecorded = false, withoutSeries = false, podChanged } = options;
  const { snapshot } = scenario;
  const initial = snapshot === undefined ? {} : simulatedClusterOf(snapshot, options.assumptions);
  const clock = clockOf(initial, options);
  const now = () => clock.now();
  const gates = gatesOf(scenario.featureGates ?? {}, defaultFeatureGates);
  const topologyKeys = (scenario.assertions ?? []).flatMap(({ zoneSkew }) => zoneSkew?.topologyKey ?? []);
  const tracker = new ClusterTracker({ now, gates: () => run.gates, topologyKeys, ...options.tracking });
  const journal = new DecisionJournal(
    now,
    isRecorded ? (by, what) => run.recording?.add({ kind: "decision", at: now(), by, what }) : undefined,
  );
  const busy = new BusyPods(scenario.work ?? [], seededRandom(`work ${seed}`));
  const removed = new RemovedPods({ tracker, journal, busy, now, event: () => run.acting });
  const durationMs = scenarioDuration(scenario);
  const checks = assertionChecks(scenario.assertions ?? [], { tracker, journal, now, durationMs });
  const run: ScenarioState = {
    scenario,
    seed,
    clock,
    initial,
    start: clock.now(),
    durationMs,
    tracker,
    busy,
    journal,
    removed,
    checks,
    open: new Set(),
    events: [],
    drains: [],
    sampler: new TimeSeriesSampler(),
    podChanged,
    withoutSeries,
    gates,
    acting: undefined,
    recording: undefined,
    broken: undefined,
  };
  return run;
}

function clockOf({ clock }: Partial<SimulatedClusterOptions>, { newClock }: PrepareOptions): VirtualClock {
  return newClock?.(clock?.now()) ?? clock ?? new VirtualClock();
}

/** The gates with those that are chosen; names and values were checked before. */
export function gatesOf(chosen: Partial<FeatureGates>, base: FeatureGates): FeatureGates {
  const parsed = parseFeatureGates(
    Object.entries(chosen)
      .map(([name, isOn]) => `${name}=${String(isOn)}`)
      .join(","),
    base,
  );
  return parsed.ok ? parsed.gates : base;
}
