import type { FeatureGates } from "../../api/feature-gates.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { AssertionCheck } from "../assertions/assertion-check.ts";
import type { EventDocument } from "../scenario-files/scenario-document.ts";
import { timesOf } from "../scenario-files/scenario-times.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import { sampleStepMs } from "../tracking/time-series.ts";
import { workloadLoads } from "../tracking/workload-loads.ts";
import { describeEvent } from "./describe-event.ts";
import { performEvent } from "./perform-event.ts";
import { momentOf } from "./scenario-result.ts";
import { gatesOf, type ScenarioState } from "./scenario-state.ts";

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

/** Lets the time of a scenario pass: its events, the windows of its assertions, and samples in between. */
export async function playEvents(
  run: ScenarioState,
  cluster: SimulatedCluster,
  { ending, interrupted }: Signals,
): Promise<void> {
  const { clock, seed, start, durationMs, tracker, busy, sampler, open, withoutSeries } = run;
  const stepMs = sampleStepMs(durationMs);
  const setGates = (gates: Partial<FeatureGates>) => (run.gates = gatesOf(gates, run.gates));
  const context = { cluster, busy, seed, gates: () => run.gates, setGates, signal: ending };
  let sampleAt = 0;
  for (const stop of stopsOf(run)) {
    for (; sampleAt <= stop.at && sampleAt <= durationMs; sampleAt += stepMs) {
      interrupted?.throwIfAborted();
      await clock.runUntil(start + sampleAt);
      const now = clock.now();
      const loads = withoutSeries ? undefined : workloadLoads(cluster.store, tracker, now);
      sampler.sample({ tracker, busy, loads, now });
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
function stopsOf({ scenario, checks, durationMs }: ScenarioState): readonly Stop[] {
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
function refused(run: ScenarioState, event: EventDocument, error: unknown): void {
  if (error instanceof ApiError) {
    const moment = momentOf(run.clock.now(), run.start);
    const { mayFail: passed = false } = event;
    run.events.push({ ...moment, text: describeEvent(event), error: error.message, passed });
  } else run.broken ??= error instanceof Error ? error : new Error(String(error));
}

/** Does something to the cluster and notes what came of it. */
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
