import { defaultFeatureGates, type FeatureGates, parseFeatureGates } from "../../api/feature-gates.ts";
import type { Instant } from "../../api/time.ts";
import type { StoreEvent } from "../../cluster/store/store.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { simulatedConnector } from "../../picker/simulated-picker.ts";
import { parseSchedulerConfig } from "../../scheduler/configuration/parse-scheduler-config.ts";
import type { AssertionCheck } from "../assertions/assertion-check.ts";
import { assertionChecks } from "../assertions/assertion-checks.ts";
import type { Recording } from "../recording/recording.ts";
import type { EventDocument, ScenarioDocument } from "../scenario-files/scenario-document.ts";
import { durationOf, timesOf } from "../scenario-files/scenario-times.ts";
import {
  type SimulatedCluster,
  type SimulatedClusterOptions,
  startSimulatedCluster,
} from "../simulated-cluster.ts";
import { simulatedClusterOf } from "../snapshot/load-snapshot.ts";
import { BusyPods } from "../tracking/busy-pods.ts";
import { ClusterTracker } from "../tracking/cluster-tracker.ts";
import { DecisionJournal } from "../tracking/decision-journal.ts";
import { RemovedPods } from "../tracking/removed-pods.ts";
import { sampleStepMs, TimeSeriesSampler } from "../tracking/time-series.ts";
import { describeEvent, manifestName } from "./describe-event.ts";
import { failureCause } from "./failure-cause.ts";
import { applyManifest, performEvent } from "./perform-event.ts";
import { scenarioPickers } from "./scenario-pickers.ts";
import { type EventResult, momentOf, type ScenarioResult } from "./scenario-result.ts";
import { summarizeRun } from "./summarize-run.ts";

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

/** A scenario while it runs. */
interface Run {
  readonly scenario: ScenarioDocument;
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
  gates: FeatureGates;
  /** What the scenario does at this moment. */
  acting: string | undefined;
  /** Absent until the cluster has started, and unless the run is recorded. */
  recording: Recording | undefined;
  /** What the simulation itself failed with in the background. */
  broken: Error | undefined;
}

/** Runs a scenario in virtual time; the same scenario and seed give the same result, to the byte. */
export async function runScenario(
  scenario: ScenarioDocument,
  options: RunScenarioOptions,
): Promise<ScenarioRun> {
  const run = prepareRun(scenario, options);
  const cluster = await startScenarioCluster(run, options);
  if (options.isRecorded === true) run.recording = cluster.recording;
  const ending = new AbortController();
  for (const manifest of scenario.manifests)
    await perform(run, manifestName(manifest), () => applyManifest(cluster.client, manifest, run.gates));
  await playEvents(run, cluster, { ending: ending.signal, interrupted: options.signal });
  ending.abort(new Error("the scenario has ended"));
  await cluster.stop();
  if (run.broken !== undefined) throw run.broken;
  const result = summarizeRun({ ...run, seed: options.seed, withoutSeries: options.withoutSeries ?? false });
  return { result, recording: cluster.recording };
}

function prepareRun(scenario: ScenarioDocument, { seed, isRecorded = false }: RunScenarioOptions): Run {
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
  const run: Run = {
    scenario,
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
    gates,
    acting: undefined,
    recording: undefined,
    broken: undefined,
  };
  return run;
}

function gatesOf(chosen: Partial<FeatureGates>, base: FeatureGates): FeatureGates {
  const parsed = parseFeatureGates(
    Object.entries(chosen)
      .map(([name, isOn]) => `${name}=${String(isOn)}`)
      .join(","),
    base,
  );
  return parsed.ok ? parsed.gates : base;
}

function startScenarioCluster(
  run: Run,
  { seed, isRecorded = false }: RunScenarioOptions,
): Promise<SimulatedCluster> {
  const { scenario, clock, tracker, busy, journal } = run;
  const pickers = scenarioPickers(scenario.pickers ?? [], {
    tracker: () => tracker,
    busy,
    random: seededRandom(`pickers ${seed}`),
    start: () => run.start,
  });
  const scheduler =
    scenario.scheduler && parseSchedulerConfig(JSON.stringify(scenario.scheduler), { gates: run.gates });
  return startSimulatedCluster({
    seed,
    ...run.initial,
    clock,
    ...(scenario.nodes !== undefined && { nodes: scenario.nodes }),
    ...(scenario.zones !== undefined && { zones: scenario.zones }),
    gates: () => run.gates,
    recording: isRecorded ? "whole" : "none",
    committed: (collection, event) => committed(run, collection, event),
    decided: journal.observer,
    pickerConnector: ({ clock: callClock }) => simulatedConnector(pickers, callClock),
    ...(scheduler?.ok === true && { schedulerConfig: scheduler.config }),
  });
}

/** Takes in a commit, and checks every open assertion by what the cluster is then. */
function committed(run: Run, collection: string, event: StoreEvent): void {
  const { tracker, busy, removed, journal, open } = run;
  if (collection === "events") return;
  const change = tracker.observe(collection, event);
  if (change?.kind === "created") busy.created(change.tracked.pod);
  const removal = change && removed.observe(change);
  const at = run.clock.now();
  for (const check of open) check.check(() => failureCause(journal, { change, removal, at }));
  if (event.type === "DELETED" && change !== undefined) {
    busy.gone(change.tracked.pod);
    journal.forget(change.tracked.pod.metadata.uid);
  }
}

/** A moment at which the run stops for something. */
interface Stop {
  readonly at: number;
  readonly close: AssertionCheck[];
  readonly events: EventDocument[];
  readonly open: AssertionCheck[];
}

interface Signals {
  /** The scenario has ended. */
  readonly ending: AbortSignal;
  readonly interrupted: AbortSignal | undefined;
}

async function playEvents(
  run: Run,
  cluster: SimulatedCluster,
  { ending, interrupted }: Signals,
): Promise<void> {
  const { clock, start, durationMs, tracker, busy, sampler, open } = run;
  const stepMs = sampleStepMs(durationMs);
  const setGates = (gates: Partial<FeatureGates>) => (run.gates = gatesOf(gates, run.gates));
  const context = { cluster, busy, gates: () => run.gates, setGates, signal: ending };
  let sampleAt = 0;
  for (const stop of stopsOf(run)) {
    for (; sampleAt <= stop.at && sampleAt <= durationMs; sampleAt += stepMs) {
      interrupted?.throwIfAborted();
      await clock.runUntil(start + sampleAt);
      sampler.sample(tracker, busy, clock.now());
    }
    await clock.runUntil(start + stop.at);
    for (const check of stop.close) {
      check.close();
      open.delete(check);
    }
    for (const event of stop.events) {
      const text = describeEvent(event);
      run.recording?.add({ kind: "decision", at: clock.now(), by: "scenario", what: { event: text } });
      const goesOn = (work: Promise<unknown>) =>
        void work.catch((error: unknown) => refused(run, event, error));
      await perform(run, text, () => performEvent(event, { ...context, goesOn }), event.mayFail);
    }
    for (const check of stop.open) {
      open.add(check);
      check.open();
    }
  }
}

/** All moments at which something is due, in their order; the last is the end. */
function stopsOf({ scenario, checks, durationMs }: Run): readonly Stop[] {
  const stops = new Map<number, Stop>();
  const stopAt = (at: number) => {
    let stop = stops.get(at);
    if (stop === undefined) stops.set(at, (stop = { at, close: [], events: [], open: [] }));
    return stop;
  };
  for (const event of scenario.events ?? []) for (const at of timesOf(event)) stopAt(at).events.push(event);
  for (const check of checks) {
    stopAt(check.opensAt).open.push(check);
    stopAt(Math.min(check.closesAt, durationMs)).close.push(check);
  }
  stopAt(durationMs);
  return [...stops.values()].toSorted((a, b) => a.at - b.at);
}

/** Notes what the rest of an event was refused with, which goes on while time passes. */
function refused(run: Run, event: EventDocument, error: unknown): void {
  if (error instanceof ApiError) {
    const moment = momentOf(run.clock.now(), run.start);
    const { mayFail: passed = false } = event;
    run.events.push({ ...moment, text: describeEvent(event), error: error.message, passed });
  } else run.broken ??= error instanceof Error ? error : new Error(String(error));
}

/** Does something to the cluster and notes what came of it. */
async function perform(
  run: Run,
  text: string,
  ...[action, mayFail = false]: [action: () => Promise<void>, mayFail?: boolean]
): Promise<void> {
  const moment = momentOf(run.clock.now(), run.start);
  run.acting = text;
  try {
    await action();
    run.events.push({ ...moment, text, passed: true });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    run.events.push({ ...moment, text, error: error.message, passed: mayFail });
  } finally {
    run.acting = undefined;
  }
}
