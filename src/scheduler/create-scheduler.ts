import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { EventRecorder } from "../machinery/events/event-draft.ts";
import type { InformerFactory } from "../machinery/informer/informer-factory.ts";
import { type Logger, silentLogger } from "../machinery/log/logger.ts";
import { type Metrics, silentMetrics } from "../machinery/metrics/metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import { SchedulerCache } from "./cache/scheduler-cache.ts";
import { clusterViewOf } from "./cache/cluster-view.ts";
import type { SchedulerConfig } from "./configuration/scheduler-config.ts";
import { Bindings } from "./cycle/bindings.ts";
import { FailureReports } from "./cycle/failure-reports.ts";
import { SchedulingCycle } from "./cycle/scheduling-cycle.ts";
import { measuredHints } from "./metrics/measured-hints.ts";
import { type SchedulerMeter, schedulerMeter } from "./metrics/scheduler-meter.ts";
import { type HandlerRegistration, eventHandlers } from "./event-handlers/event-handlers.ts";
import { createProfile, type Profile } from "./profile.ts";
import { SchedulingQueue } from "./queue/scheduling-queue.ts";
import {
  type PlacementDecision,
  placementEncoder,
  type PlacementRecord,
} from "../decisions/explain/placement-record.ts";
import { DecisionLog } from "../machinery/diagnostics/decision-log.ts";
import { runCycles } from "./run-cycles.ts";
import { schedulerInformers } from "./scheduler-informers.ts";
import { schedulerNameOf } from "./scheduler-name.ts";
import { unsupportedClaims } from "./unsupported-claims.ts";

export interface SchedulerDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly informers: InformerFactory;
  readonly config: SchedulerConfig;
  /** Who takes the notes of a profile, whose name they bear. */
  readonly recorder: (schedulerName: string) => EventRecorder;
  /**
   * What claims for volumes and devices mean: nothing, where there is nothing behind them, or that a Pod has to wait
   * for a scheduler that knows about them.
   */
  readonly claims: "ignored" | "refused";
  /** Where placements are kept for those who ask why. */
  readonly records?: DecisionLog<PlacementDecision, PlacementRecord> | undefined;
  readonly log?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
}

/** A scheduler that may begin. */
export interface Scheduler {
  /** Gives Pods their nodes until the signal aborts and what was begun has ended. */
  run(signal: AbortSignal): Promise<void>;
}

const mostBindings = 256;

/** Puts a scheduler together. */
export function createScheduler(deps: SchedulerDependencies): Scheduler {
  const { clock, config, records = new DecisionLog(placementEncoder), log = silentLogger } = deps;
  const informers = schedulerInformers(deps.informers);
  const stopwatch = () => clock.elapsed?.() ?? clock.now();
  const meter = schedulerMeter(deps.metrics ?? silentMetrics);
  const profiles = profilesOf(deps, meter, stopwatch);
  const profileOf = (name: string): Profile | undefined => profiles.get(name);

  const cache = new SchedulerCache(clusterViewOf(informers));
  const queue = new SchedulingQueue({
    clock,
    backOff: {
      initialMs: config.podInitialBackoffSeconds * 1000,
      maxMs: config.podMaxBackoffSeconds * 1000,
    },
    gatedBy: (facts) => profileOf(schedulerNameOf(facts.pod))?.gatedBy(facts),
    hintsFor: ({ pod }) => profileOf(schedulerNameOf(pod))?.hints ?? new Map(),
    snapshot: cache.snapshot,
    meter: meter.queue,
  });
  const bindings = new Bindings(mostBindings);
  const reports = new FailureReports({ client: deps.client, clock, log });
  const cycle = new SchedulingCycle({
    ...deps,
    log,
    stopwatch,
    pods: informers.pods,
    profiles,
    cache,
    queue,
    bindings,
    reports,
    records,
    meter,
  });
  meter.follow({ cache: () => cache.counts, binding: () => bindings.inProgress });
  const isOurs: Parameters<typeof eventHandlers>[1]["isOurs"] = (pod) => profiles.has(schedulerNameOf(pod));
  const time = (event: string, work: () => void): void => {
    const begin = stopwatch();
    work();
    meter.eventHandled(event, stopwatch() - begin);
  };
  const sources = eventHandlers(informers, { cache, queue, isOurs }, time);

  return {
    async run(signal) {
      const stop = () => queue.stop();
      signal.addEventListener("abort", stop, { once: true });
      const started = sources.map((source) => source.start());
      try {
        if (await allSynced(sources, signal)) await runCycles({ queue, cycle, bindings, clock }, signal);
        await Promise.all([bindings.idle(), reports.idle()]);
      } finally {
        for (const end of started) end();
        signal.removeEventListener("abort", stop);
        queue.stop();
      }
    },
  };
}

function profilesOf(
  { config, recorder, claims }: SchedulerDependencies,
  meter: SchedulerMeter,
  stopwatch: () => number,
): ReadonlyMap<string, Profile> {
  const foremost = claims === "refused" ? [unsupportedClaims] : [];
  const create = (each: SchedulerConfig["profiles"][number]): Profile => {
    const profile = createProfile(each, { events: recorder(each.schedulerName), foremost });
    return { ...profile, hints: measuredHints(profile.hints, meter, stopwatch) };
  };
  return new Map(config.profiles.map((each) => [each.schedulerName, create(each)]));
}

async function allSynced(sources: readonly HandlerRegistration[], signal: AbortSignal): Promise<boolean> {
  const synced = await Promise.all(sources.map((source) => source.synced(signal)));
  return synced.every(Boolean) && !signal.aborted;
}
