import { defaultFeatureGates, type FeatureGates, parseFeatureGates } from "../../api/feature-gates.ts";
import type { Instant } from "../../api/time.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import type { AssertionCheck } from "../assertions/assertion-check.ts";
import { assertionChecks } from "../assertions/assertion-checks.ts";
import type { Recording } from "../recording/recording.ts";
import type { ScenarioDocument } from "../scenario-files/scenario-document.ts";
import { durationOf } from "../scenario-files/scenario-times.ts";
import type { SimulatedClusterOptions } from "../simulated-cluster.ts";
import { simulatedClusterOf } from "../snapshot/load-snapshot.ts";
import { BusyPods } from "../tracking/busy-pods.ts";
import { ClusterTracker } from "../tracking/cluster-tracker.ts";
import { DecisionJournal } from "../tracking/decision-journal.ts";
import { RemovedPods } from "../tracking/removed-pods.ts";
import { TimeSeriesSampler } from "../tracking/time-series.ts";
import type { EventResult } from "./scenario-result.ts";

/** A scenario while it runs. */
export interface ScenarioState {
  readonly scenario: ScenarioDocument;
  readonly seed: number;
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
  readonly sampler: TimeSeriesSampler;
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

interface PrepareOptions {
  readonly seed: number;
  readonly isRecorded?: boolean;
  readonly withoutSeries?: boolean;
}

/** The state of a scenario before its cluster is started. */
export function prepareScenario(
  scenario: ScenarioDocument,
  { seed, isRecorded = false, withoutSeries = false }: PrepareOptions,
): ScenarioState {
  const initial = scenario.snapshot === undefined ? {} : simulatedClusterOf(scenario.snapshot);
  const { clock = new VirtualClock() } = initial;
  const now = () => clock.now();
  const gates = gatesOf(scenario.featureGates ?? {}, defaultFeatureGates);
  const topologyKeys = (scenario.assertions ?? []).flatMap(({ zoneSkew }) => zoneSkew?.topologyKey ?? []);
  const tracker = new ClusterTracker({ now, gates: () => run.gates, topologyKeys });
  const journal = new DecisionJournal(
    now,
    isRecorded ? (by, what) => run.recording?.add({ kind: "decision", at: now(), by, what }) : undefined,
  );
  const busy = new BusyPods(scenario.work ?? [], seededRandom(`work ${seed}`));
  const removed = new RemovedPods({ tracker, journal, busy, now, event: () => run.acting });
  const durationMs = durationOf(scenario);
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
    sampler: new TimeSeriesSampler(),
    withoutSeries,
    gates,
    acting: undefined,
    recording: undefined,
    broken: undefined,
  };
  return run;
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
