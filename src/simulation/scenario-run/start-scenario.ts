import type { FeatureGates } from "../../api/feature-gates.ts";
import type { StoreEvent } from "../../cluster/store/store.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { simulatedConnector } from "../../picker/simulated-picker.ts";
import { schedulerConfigOf } from "../../scheduler/configuration/parse-scheduler-config.ts";
import { manifestName } from "../../user-actions/describe-action.ts";
import type { ScenarioDocument } from "../scenario-files/scenario-document.ts";
import {
  type SimulatedCluster,
  type SimulatedClusterOptions,
  startSimulatedCluster,
} from "../simulated-cluster.ts";
import { describeEvent } from "./describe-event.ts";
import { failureCause } from "./failure-cause.ts";
import { type EventContext, performEvent } from "./perform-event.ts";
import { scenarioPickers } from "./scenario-pickers.ts";
import { momentOf } from "./scenario-result.ts";
import { gatesOf, type PrepareOptions, prepareScenario, type ScenarioState } from "./scenario-state.ts";

export interface StartScenarioOptions extends PrepareOptions {
  /** What the cluster is started with, besides what the scenario says. */
  readonly cluster?: Pick<SimulatedClusterOptions, "schedulerConfig" | "removalProfile">;
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

function startScenarioCluster(
  run: ScenarioState,
  { seed, isRecorded = false, cluster = {} }: StartScenarioOptions,
): Promise<SimulatedCluster> {
  const { scenario, clock, tracker, busy, journal } = run;
  const pickers = scenarioPickers(scenario.pickers ?? [], {
    tracker: () => tracker,
    busy,
    random: seededRandom(`pickers ${seed}`),
    start: () => run.start,
  });
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
