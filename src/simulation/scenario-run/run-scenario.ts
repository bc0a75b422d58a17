import type { StoreEvent } from "../../cluster/store/store.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { simulatedConnector } from "../../picker/simulated-picker.ts";
import { schedulerConfigOf } from "../../scheduler/configuration/parse-scheduler-config.ts";
import type { Recording } from "../recording/recording.ts";
import type { ScenarioDocument } from "../scenario-files/scenario-document.ts";
import { type SimulatedCluster, startSimulatedCluster } from "../simulated-cluster.ts";
import { applyLoad, applyManifest } from "./change-object.ts";
import { describeEvent, manifestName } from "./describe-event.ts";
import { failureCause } from "./failure-cause.ts";
import { perform, playEvents } from "./play-events.ts";
import { scenarioPickers } from "./scenario-pickers.ts";
import type { ScenarioResult } from "./scenario-result.ts";
import { prepareScenario, type ScenarioState } from "./scenario-state.ts";
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

/** Runs a scenario in virtual time; the same scenario and seed give the same result, to the byte. */
export async function runScenario(
  scenario: ScenarioDocument,
  options: RunScenarioOptions,
): Promise<ScenarioRun> {
  const run = prepareScenario(scenario, options);
  const cluster = await startScenarioCluster(run, options);
  if (options.isRecorded === true) run.recording = cluster.recording;
  const ending = new AbortController();
  for (const manifest of scenario.manifests)
    await perform(run, `create ${manifestName(manifest)}`, () =>
      applyManifest(cluster.client, manifest, run.gates),
    );
  for (const load of scenario.load ?? [])
    await perform(run, describeEvent({ at: "0s", load }), () =>
      applyLoad(cluster.client, load, options.seed),
    );
  await playEvents(run, cluster, { ending: ending.signal, interrupted: options.signal });
  ending.abort(new Error("the scenario has ended"));
  await cluster.stop();
  if (run.broken !== undefined) throw run.broken;
  return { result: summarizeRun(run), recording: cluster.recording };
}

function startScenarioCluster(
  run: ScenarioState,
  { seed, isRecorded = false }: RunScenarioOptions,
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
  for (const check of open) check.check(() => failureCause(journal, { change, removal, at }));
  if (event.type === "DELETED" && change !== undefined) {
    busy.gone(change.tracked.pod);
    journal.forget(change.tracked.pod.metadata.uid);
  }
}
