import type { FeatureGates } from "../../api/feature-gates.ts";
import { type DecidedBy, defaultGatesOf } from "../../decisions/explain/decided-by.ts";
import { describeSupposition } from "../../user-actions/describe-action.ts";
import type { SimulatedPicker } from "../../picker/simulated-picker.ts";
import type { ActionDocument, ScenarioDocument } from "../scenario-files/scenario-document.ts";
import { describeEvent } from "../scenario-run/describe-event.ts";
import { directAction } from "../scenario-run/event-actions.ts";
import { playEvents } from "../scenario-run/play-events.ts";
import { startScenario, type StartedScenario } from "../scenario-run/start-scenario.ts";
import type { SimulatedClusterOptions } from "../simulated-cluster.ts";
import { objectsIn } from "../snapshot/load-snapshot.ts";
import type { Assumptions } from "../snapshot/simulated-objects.ts";
import { controllersIn, type Snapshot } from "../snapshot/snapshot.ts";
import { Departures } from "./departures.ts";
import { reportOf } from "./report-of.ts";
import type { WhatIfReport, WhatIfRun } from "./what-if-report.ts";
import { workloadStates } from "./workload-reports.ts";

export interface WhatIfOptions extends Pick<SimulatedClusterOptions, "schedulerConfig"> {
  readonly snapshot: Snapshot;
  /** What is done at the moment of the snapshot: events of a scenario, without their times. */
  readonly changes: readonly ActionDocument[];
  /** The same seed gives the same report. */
  readonly seed: string | number;
  readonly assumptions?: Assumptions;
  /** Of the controllers and the API server; absent: the defaults of these controllers. */
  readonly gates?: FeatureGates;
  /** Whose controllers decide; absent: those that the snapshot names, or stock ones where it names none. */
  readonly controllers?: DecidedBy["controllers"];
  /** Pod pickers by host; absent: none can be reached. */
  readonly pickers?: ReadonlyMap<string, SimulatedPicker>;
  /** How long the cluster is simulated at most; absent: six hours. */
  readonly timeoutMs?: number;
  /** What else is assumed, as sentences for the report. */
  readonly notes?: readonly string[];
  /** Ends the simulation; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** Runs a scenario that begins with a snapshot and has all of its events then, until nothing happens any more. */
export async function runWhatIf(options: WhatIfOptions): Promise<WhatIfReport> {
  const { snapshot, seed, assumptions, schedulerConfig, pickers } = options;
  const controllers = options.controllers ?? controllersIn(snapshot);
  const departures = new Departures(snapshot.objects.pods);
  const started = await startScenario(scenarioOf(options, controllers), {
    seed,
    withoutSeries: true,
    tracking: { hasBarePods: true },
    podChanged: departures.observe,
    ...(assumptions !== undefined && { assumptions }),
    ...(pickers !== undefined && { pickers }),
    cluster: {
      ...(controllers === "stock" && { removalProfile: "kubernetes-1.36" }),
      ...(schedulerConfig !== undefined && { schedulerConfig }),
    },
  });
  const { drains } = started.run;
  const played = await playUntilStable(started, departures, options);
  const drained = await Promise.all(drains.map(({ finished }) => finished));
  return reportOf({
    ...played,
    changes: options.changes.map(suppositionOf),
    drainedNodes: new Set(drains.flatMap(({ nodes }) => nodes)),
    refusedEvictions: drained.flatMap(({ refused }) => refused),
    assumptions: options.notes ?? [],
  });
}

/** The what-if as a scenario. A drain that is refused does not fail it: the report says what was not evicted. */
function scenarioOf(
  { snapshot, changes, gates }: WhatIfOptions,
  controllers: DecidedBy["controllers"],
): ScenarioDocument {
  return {
    name: "what-if",
    snapshot,
    manifests: [],
    duration: "0s",
    featureGates: gates ?? defaultGatesOf({ controllers }),
    events: changes.map((change) => ({ at: "0s", mayFail: change.drain !== undefined, ...change })),
  };
}

function suppositionOf(change: ActionDocument): string {
  const action = directAction(change);
  return action === undefined ? describeEvent(change) : describeSupposition(action);
}

type PlayedWhatIf = Omit<WhatIfRun, "changes" | "drainedNodes" | "refusedEvictions" | "assumptions">;

/** Makes the changes and lets the cluster come to rest; the cluster is stopped in any case. */
async function playUntilStable(
  started: StartedScenario,
  departures: Departures,
  { snapshot, timeoutMs, signal }: WhatIfOptions,
): Promise<PlayedWhatIf> {
  const { run, cluster, stop } = started;
  const { tracker, journal } = run;
  try {
    tracker.restartExtremes();
    const before = { objects: snapshot.objects, states: workloadStates(tracker, snapshot.objects.nodes) };
    await playEvents(started, signal);
    const failed = run.events.find(({ passed }) => !passed);
    if (failed !== undefined) throw new Error(`${failed.text}: ${failed.error}`);
    const isStable = await cluster.untilStable({
      unchangedForMs: longestPauseMs(snapshot),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(signal !== undefined && { signal }),
    });
    signal?.throwIfAborted();
    const objects = objectsIn(cluster.store);
    const known = new Set(snapshot.objects.pods.map(({ metadata }) => metadata.uid));
    return {
      takenAt: snapshot.takenAt,
      before,
      after: { objects, states: workloadStates(tracker, objects.nodes) },
      tracker,
      journal,
      departures,
      came: [...tracker.pods()].filter(({ pod }) => !known.has(pod.metadata.uid) && !departures.has(pod)),
      isStable,
      endedAt: isStable ? cluster.lastWriteAt() : cluster.clock.now(),
    };
  } finally {
    await stop();
  }
}

/** The longest that a controller waits for a time in an object to be over, and never less than the longest retry. */
function longestPauseMs({ objects }: Snapshot): number {
  let seconds = 1000;
  for (const { spec } of objects.pods) {
    for (const { tolerationSeconds = 0 } of spec.tolerations ?? [])
      seconds = Math.max(seconds, tolerationSeconds);
    seconds = Math.max(seconds, spec.terminationGracePeriodSeconds ?? 0);
  }
  for (const { spec } of objects.deployments)
    seconds = Math.max(seconds, spec.progressDeadlineSeconds ?? 0, spec.minReadySeconds ?? 0);
  const longest = 2 * 3600;
  return (Math.min(seconds, longest) + 100) * 1000;
}
