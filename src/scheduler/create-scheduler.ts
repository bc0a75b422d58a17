import { expectManyListeners } from "../machinery/abort/many-listeners.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { EventRecorder } from "../machinery/events/event-draft.ts";
import type { InformerFactory } from "../machinery/informer/informer-factory.ts";
import { type Logger, silentLogger } from "../machinery/log/logger.ts";
import { type Metrics, silentMetrics } from "../machinery/metrics/metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import { AssumedVolumes } from "./cache/assumed-volumes.ts";
import { SchedulerCache } from "./cache/scheduler-cache.ts";
import { pluginRegistry } from "./configuration/plugin-registry.ts";
import type { SchedulerConfig } from "./configuration/scheduler-config.ts";
import { Bindings } from "./cycle/bindings.ts";
import { FailureReports } from "./cycle/failure-reports.ts";
import { Preemption } from "./cycle/preemption.ts";
import { VolumeBindings } from "./cycle/volume-bindings.ts";
import { SchedulingCycle } from "./cycle/scheduling-cycle.ts";
import { exposeWorkloadSkew } from "./metrics/workload-skew.ts";
import { measuredHints, type SchedulerMeter, schedulerMeter } from "./metrics/scheduler-meter.ts";
import { type HandlerRegistration, eventHandlers } from "./event-handlers/event-handlers.ts";
import { NominatedPods } from "./nominated-pods.ts";
import { createProfile, type Profile } from "./profile.ts";
import { SchedulingQueue } from "./queue/scheduling-queue.ts";
import type { ArgsForPod } from "../decisions/placement/pod-topology-spread/workload-skew.ts";
import { PlacementLog } from "./records/placement-log.ts";
import { budgetsOf, lookupsOf, schedulerInformers, volumeLookupsOf } from "./scheduler-informers.ts";
import { spreadDefaultsOf } from "./configuration/current-config.ts";
import { schedulerNameOf } from "./scheduler-name.ts";
import { yieldIfDue } from "../machinery/clock/run-in-steps.ts";
import type { PluginEntry } from "../decisions/placement/plugin-entry.ts";
import { type Plugin, unresolvable } from "../decisions/placement/plugin.ts";
import { noHints } from "../decisions/placement/cluster-event.ts";

export interface SchedulerDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly informers: InformerFactory;
  readonly config: SchedulerConfig;
  /** The recorder of a profile's events, which carry the profile's name. */
  readonly recorder: (schedulerName: string) => EventRecorder;
  /**
   * Who serves claims. In a cluster with simulated volumes this scheduler says on which node a claim that waits for its
   * first Pod is needed; it places Pods as if they had no claims for devices. Elsewhere it respects volumes that claims
   * have, and rejects Pods with other claims.
   */
  readonly claims: "simulated" | "elsewhere";
  /** How many bindings may be in progress beside the scheduling of the next Pod; absent: 256. */
  readonly maxBindings?: number | undefined;
  /** Keeps placements for `/debug/placements`. */
  readonly records?: PlacementLog | "none" | undefined;
  readonly log?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
}

/** A scheduler that is not running yet. */
export interface Scheduler {
  /**
   * Schedules Pods until the signal aborts and the bindings in progress have ended. Those are aborted by the second
   * signal only, which is the same one unless another scheduler takes over in this process.
   */
  run(signal: AbortSignal, abortBindings?: AbortSignal): Promise<void>;
}

const defaultMaxBindings = 256;

/** Creates a scheduler from its dependencies. */
export function createScheduler(deps: SchedulerDependencies): Scheduler {
  const { clock, config, records = new PlacementLog(), log = silentLogger } = deps;
  const informers = schedulerInformers(deps.informers);
  const stopwatch = () => clock.elapsed?.() ?? clock.now();
  const meter = schedulerMeter(deps.metrics ?? silentMetrics);
  const profiles = profilesOf(deps, meter, stopwatch);
  const profileOf = (name: string): Profile | undefined => profiles.get(name);

  const assumedVolumes = new AssumedVolumes(
    volumeLookupsOf(informers, { bindsClaims: deps.claims === "simulated" }),
  );
  const lookups = { ...lookupsOf(informers), volumes: assumedVolumes };
  const cache = new SchedulerCache(lookups);
  const queue = new SchedulingQueue({
    clock,
    backOff: {
      initialMs: config.podInitialBackoffSeconds * 1000,
      maxMs: config.podMaxBackoffSeconds * 1000,
    },
    gatedBy: (info) => profileOf(schedulerNameOf(info.pod))?.gatedBy(info),
    hintsFor: ({ pod }) => profileOf(schedulerNameOf(pod))?.hints ?? new Map(),
    cluster: cache.view,
    meter: meter.queue,
  });
  const bindings = new Bindings(deps.maxBindings ?? defaultMaxBindings);
  const volumes = new VolumeBindings({
    ...deps,
    pods: informers.pods,
    claims: informers.persistentVolumeClaims,
    assumed: assumedVolumes,
  });
  const reports = new FailureReports({ client: deps.client, clock, log });
  const nominated = new NominatedPods();
  const preemption = new Preemption({
    ...deps,
    log,
    stopwatch,
    meter,
    nominated,
    cluster: cache.view,
    budgetsIn: budgetsOf(informers),
  });
  const cycle = new SchedulingCycle({
    ...deps,
    log,
    stopwatch,
    pods: informers.pods,
    profiles,
    cache,
    queue,
    bindings,
    volumes,
    assumedVolumes,
    reports,
    nominated,
    preemption,
    records,
    meter,
  });
  const defaults = spreadDefaultsOf(config);
  const argsFor: ArgsForPod = ({ pod }) => defaults(schedulerNameOf(pod));
  exposeWorkloadSkew(deps.metrics ?? silentMetrics, { cluster: cache.view, argsFor, clock });
  meter.follow({ cache: () => cache.counts, binding: () => bindings.inProgress });
  const isResponsibleFor = (pod: Pod): boolean => profiles.has(schedulerNameOf(pod));
  const time = (event: string, work: () => void): void => {
    const begin = stopwatch();
    work();
    meter.eventHandled(event, stopwatch() - begin);
  };
  const podGone = (uid: string): void => {
    if (records !== "none") records.forget(uid);
  };
  const handlers = eventHandlers(informers, { cache, queue, nominated, podGone, isResponsibleFor }, time);

  return {
    async run(signal, abortBindings = signal) {
      const stop = () => {
        queue.stop();
        volumes.stop();
      };
      signal.addEventListener("abort", stop, { once: true });
      const started = handlers.map((handler) => handler.start());
      try {
        if (await allSynced(handlers, signal))
          await runCycles({ queue, cycle, bindings, clock, abortBindings }, signal);
        await volumes.idle();
        await Promise.all([bindings.idle(), preemption.idle()]);
        // Reports come after the bindings, since a failed binding is reported. A report that is written after the next
        // scheduler has bound the Pod would say that it has no node.
        await reports.idle();
      } finally {
        for (const remove of started) remove();
        signal.removeEventListener("abort", stop);
        stop();
      }
    },
  };
}

function profilesOf(
  { config, recorder, claims }: SchedulerDependencies,
  meter: SchedulerMeter,
  stopwatch: () => number,
): ReadonlyMap<string, Profile> {
  const registry = pluginRegistry(config.outOfTreePlugins);
  const firstFilters = claims === "elsewhere" ? [unsupportedClaimsEntry] : [];
  const create = (each: SchedulerConfig["profiles"][number]): Profile => {
    const profile = createProfile(each, { registry, events: recorder(each.schedulerName), firstFilters });
    return { ...profile, hints: measuredHints(profile.hints, meter, stopwatch) };
  };
  return new Map(config.profiles.map((each) => [each.schedulerName, create(each)]));
}

async function allSynced(handlers: readonly HandlerRegistration[], signal: AbortSignal): Promise<boolean> {
  expectManyListeners(signal); // one for each informer
  const synced = await Promise.all(handlers.map((handler) => handler.synced(signal)));
  return synced.every(Boolean) && !signal.aborted;
}

interface CycleRun {
  readonly queue: SchedulingQueue;
  readonly cycle: SchedulingCycle;
  readonly bindings: Bindings;
  readonly clock: Clock;
  /** Aborts the bindings in progress. */
  readonly abortBindings: AbortSignal;
}

/** Schedules one Pod after the other until the signal aborts (upstream: scheduleOne). */
async function runCycles(
  { queue, cycle, bindings, clock, abortBindings }: CycleRun,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // The binding of the last Pod begins before the next one is chosen; the attempt itself awaits nothing.
    await Promise.resolve();
    // The queue of a scheduler that was stopped meanwhile has no Pod to wait for.
    if (signal.aborted) return;
    const entry = queue.pop();
    if (entry === undefined) {
      await queue.available();
      continue;
    }
    const pause = cycle.attempt(entry, abortBindings);
    if (pause !== undefined) await pause;
    await bindings.slotAvailable();
    await yieldIfDue(clock);
  }
}

/** Rejects Pods with claims for devices: this scheduler does not know where those are, and the Pod would never start. */
const unsupportedClaims: Plugin = {
  name: "UnsupportedClaims",

  preFilter({ pod: { spec } }) {
    return (spec.resourceClaims ?? []).length === 0
      ? undefined
      : { refusal: unresolvable("the Pod has resource claims, which this scheduler does not support") };
  },
};

const unsupportedClaimsEntry: PluginEntry = {
  name: unsupportedClaims.name,
  points: ["preFilter", "filter"],
  create: () => unsupportedClaims,
  // The claims of a Pod do not change.
  hints: () => noHints,
};
