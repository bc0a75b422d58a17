import type { FeatureGates } from "../../api/feature-gates.ts";
import type { StoreEvent } from "../../cluster/store/store.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { type SimulatedPicker, simulatedConnector } from "../../picker/simulated-picker.ts";
import { schedulerConfigOf } from "../../scheduler/configuration/parse-scheduler-config.ts";
import { manifestName } from "../../user-actions/describe-action.ts";
import type { ScenarioDocument } from "../scenario-files/scenario-document.ts";
import {
  type SimulatedCluster,
  type SimulatedClusterOptions,
  startSimulatedCluster,
} from "../simulated-cluster.ts";
import { describeEvent } from "./describe-event.ts";
import { type EventContext, performEvent } from "./perform-event.ts";
import { scenarioPickers } from "./scenario-pickers.ts";
import { momentOf } from "./scenario-result.ts";
import { gatesOf, type PrepareOptions, prepareScenario, type ScenarioState } from "./scenario-state.ts";
import { keyOf } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { FailureCause } from "../assertions/assertion-check.ts";
import type { PodChange } from "../tracking/cluster-tracker.ts";
import type { DecisionJournal } from "../tracking/decision-journal.ts";
import type { TalliedPodState } from "../tracking/pod-tally.ts";
import type { RemovedPod } from "../tracking/removed-pods.ts";

export interface StartScenarioOptions extends PrepareOptions {
  /** What the cluster is started with, besides what the scenario says. */
  readonly cluster?: Pick<SimulatedClusterOptions, "schedulerConfig" | "removalProfile" | "history">;
  /** Pod pickers by host, besides those of the scenario. */
  readonly pickers?: ReadonlyMap<string, SimulatedPicker>;
  /** Changes every picker. */
  readonly wrapPicker?: (picker: SimulatedPicker) => SimulatedPicker;
}

/** A scenario whose cluster runs; time has not passed yet. */
export interface StartedScenario {
  readonly run: ScenarioState;
  readonly cluster: SimulatedCluster;
  readonly context: EventContext;
  /** Ends what events have begun, and then the cluster. */
  readonly stop: () => Promise<void>;
}

/** Starts the cluster of a scenario and creates what it begins with. */
export async function startScenario(
  scenario: ScenarioDocument,
  options: StartScenarioOptions,
): Promise<StartedScenario> {
  const run = prepareScenario(scenario, options);
  const cluster = await startScenarioCluster(run, options);
  if (options.isRecorded === true) run.recording = cluster.recording;
  const ending = new AbortController();
  const context: EventContext = {
    cluster,
    busy: run.busy,
    seed: run.seed,
    gates: () => run.gates,
    setGates: (gates: Partial<FeatureGates>) => (run.gates = gatesOf(gates, run.gates)),
    signal: ending.signal,
    draining: (drain) => void run.drains.push(drain),
  };
  for (const manifest of scenario.manifests)
    await perform(run, `create ${manifestName(manifest)}`, () =>
      performEvent({ apply: [manifest] }, context),
    );
  for (const load of scenario.load ?? [])
    await perform(run, describeEvent({ load }), () => performEvent({ load }, context));
  return {
    run,
    cluster,
    context,
    async stop() {
      ending.abort(new Error("the scenario has ended"));
      await cluster.stop();
    },
  };
}

function startScenarioCluster(run: ScenarioState, options: StartScenarioOptions): Promise<SimulatedCluster> {
  const { seed, isRecorded = false, cluster = {} } = options;
  const { scenario, clock, journal } = run;
  const pickers = pickersOf(run, options);
  const scheduler = scenario.scheduler && schedulerConfigOf(scenario.scheduler, { gates: run.gates });
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
    ...cluster,
  });
}

/** All pickers, by host; those of the scenario come before others. */
function pickersOf(
  run: ScenarioState,
  { seed, pickers = new Map(), wrapPicker = (picker) => picker }: StartScenarioOptions,
): ReadonlyMap<string, SimulatedPicker> {
  const all = [...pickers, ...ownPickers(run, seed)];
  return new Map(all.map(([host, picker]) => [host, wrapPicker(picker)]));
}

/** The pickers that the scenario has as data, by host. */
function ownPickers(
  run: ScenarioState,
  seed: StartScenarioOptions["seed"],
): ReadonlyMap<string, SimulatedPicker> {
  const { scenario, tracker, busy } = run;
  return scenarioPickers(scenario.pickers ?? [], {
    tracker: () => tracker,
    busy,
    random: seededRandom(`pickers ${seed}`),
    start: () => run.start,
  });
}

/** Takes in a commit, and checks every open assertion by what the cluster is then. */
function committed(run: ScenarioState, collection: string, event: StoreEvent): void {
  const { tracker, busy, removed, journal, open } = run;
  if (collection === "events") return;
  const change = tracker.observe(collection, event);
  if (change?.kind === "created") busy.created(change.tracked.pod);
  const removal = change && removed.observe(change);
  const at = run.clock.now();
  if (change !== undefined) run.podChanged?.(change, removal, at);
  for (const check of open) check.check(() => failureCause(journal, { change, removal, at }));
  if (event.type === "DELETED" && change !== undefined) {
    busy.gone(change.tracked.pod);
    journal.forget(change.tracked.pod.metadata.uid);
  }
}

/** Performs an event and records its result. */
export async function perform(
  run: ScenarioState,
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

/** A change that assertions were checked after. */
interface ObservedChange {
  /** Absent: no Pod changed. */
  readonly change: PodChange | undefined;
  /** Present if a deletion began. */
  readonly removal: RemovedPod | undefined;
  readonly at: Instant;
}

/** Returns the cause of the change of a Pod that broke an assertion. */
function failureCause(journal: DecisionJournal, { change, removal, at }: ObservedChange): FailureCause {
  if (change === undefined) return {};
  const { pod } = change.tracked;
  // A removed Pod may be gone, and forgotten, when the moment is over.
  const removing = change.kind === "deletion-began" ? journal.behind(change, at) : undefined;
  const whileBusy = removal?.isBusy === true ? " while it is busy" : "";
  const by = removal === undefined || removing !== undefined ? "" : `, by ${removal.by}: ${removal.reason}`;
  return {
    change: `Pod ${keyOf(pod)} ${changeText(change)}${whileBusy}${by}`,
    decision: () => removing ?? journal.behind(change, at),
  };
}

const stateTexts: Readonly<Record<TalliedPodState, string>> = {
  pending: "waits to run",
  notReady: "is not ready",
  ready: "is ready",
  terminating: "is being deleted",
};

function changeText({ kind, stateBefore, tracked: { pod, share } }: PodChange): string {
  const node = pod.spec.nodeName === undefined ? "" : ` on ${pod.spec.nodeName}`;
  switch (kind) {
    case "created":
      return "is created";
    case "deletion-began":
      return "is removed";
    case "bound":
      return `gets its node${node.replace(" on", ":")}`;
    case "gone":
      return "is gone";
    case "ended":
    case "changed": {
      if (share === undefined) return `has ended${node}: ${pod.status?.reason ?? pod.status?.phase ?? ""}`;
      const again = share.state === stateBefore ? "still " : "";
      return `${stateTexts[share.state].replace(/^is /, `is ${again}`)}${node}`;
    }
  }
}
