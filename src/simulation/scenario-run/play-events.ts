import type { ActionOutcome, RefusedPart } from "../../user-actions/action-outcome.ts";
import type { AssertionCheck } from "../assertions/assertion-check.ts";
import type { EventDocument } from "../scenario-files/scenario-document.ts";
import { timesOf } from "../scenario-files/scenario-times.ts";
import { sampleStepMs } from "../tracking/time-series.ts";
import { workloadLoads } from "../tracking/workload-loads.ts";
import { describeEvent } from "./describe-event.ts";
import { finallyRefused, performEvent, type StartedDrain } from "./perform-event.ts";
import { momentOf } from "./scenario-result.ts";
import type { ScenarioState } from "./scenario-state.ts";
import { perform, type StartedScenario } from "./start-scenario.ts";

/** A moment at which the run stops for something. */
interface Stop {
  readonly at: number;
  readonly close: AssertionCheck[];
  readonly events: EventDocument[];
  readonly open: AssertionCheck[];
}

/** Lets the time of a scenario pass: its events, the windows of its assertions, and samples in between. */
export async function playEvents(
  { run, cluster, context }: StartedScenario,
  interrupted?: AbortSignal,
): Promise<void> {
  const { clock, start, durationMs, tracker, busy, sampler, open, withoutSeries } = run;
  const stepMs = sampleStepMs(durationMs);
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
      const draining = (drain: StartedDrain) => follow(run, event, drain);
      await perform(run, text, () => performEvent(event, { ...context, draining }), event.mayFail);
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

/** Remembers a drain, and notes what it is refused with while time passes. */
function follow(run: ScenarioState, event: EventDocument, drain: StartedDrain): void {
  run.drains.push(drain);
  drain.finished.then(
    (outcome) => noteRefusals(run, event, refusedLater(drain.started, outcome)),
    (error: unknown) => (run.broken ??= error instanceof Error ? error : new Error(String(error))),
  );
}

/** Returns what was refused for good after a drain began; earlier refusals have failed the event itself. */
function refusedLater(started: ActionOutcome, finished: ActionOutcome): readonly RefusedPart[] {
  const known = new Set(finallyRefused(started).map(({ uid }) => uid));
  return finallyRefused(finished).filter(({ uid }) => !known.has(uid));
}

function noteRefusals(run: ScenarioState, event: EventDocument, refused: readonly RefusedPart[]): void {
  const moment = momentOf(run.clock.now(), run.start);
  const { mayFail: passed = false } = event;
  const text = describeEvent(event);
  for (const { message: error } of refused) run.events.push({ ...moment, text, error, passed });
}
