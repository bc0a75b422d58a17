import { eventName, type QueueingHints } from "../../decisions/placement/cluster-event.ts";
import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { QueueMeter } from "../queue/queued-pod.ts";
import { histograms } from "./histograms.ts";
import { queueMeter } from "./queue-meter.ts";

/** The result of a scheduling attempt, as metrics name it. */
export type ScheduleAttemptResult = "scheduled" | "unschedulable" | "error";

/** The extension points that are measured. */
export type MeasuredPoint = "PreFilter" | "Filter" | "PostFilter" | "PreScore" | "Score" | "Bind";

/** The size of the cache. */
export interface CacheCounts {
  readonly nodes: number;
  readonly pods: number;
  readonly assumed_pods: number;
}

/** Measures a scheduler under the names of kube-scheduler's metrics; durations are in milliseconds. */
export interface SchedulerMeter {
  readonly queue: QueueMeter;
  /** All plugins of an extension point together, once per attempt. */
  pointTook(point: MeasuredPoint, durationMs: number, of: { profile: string; status: string }): void;
  /** One plugin at an extension point, all its calls of an attempt together; of one attempt in ten. */
  pluginTook(plugin: string, durationMs: number, of: { point: MeasuredPoint; status: string }): void;
  evaluated(plugin: string, point: MeasuredPoint, profile: string): void;
  /** Choosing the node, from reading the cluster on. */
  algorithmTook(durationMs: number): void;
  attemptEnded(result: ScheduleAttemptResult, durationMs: number, profile: string): void;
  /** Observes the attempts of a scheduled Pod, and the time since it first entered the active queue. */
  podScheduled(of: { attempts: number; durationMs: number; afterFlush: boolean }): void;
  preemptionAttempted(): void;
  /** Observes the number of victims that were chosen on a node. */
  victimsChosen(count: number): void;
  /** Observes how long the requests to delete the victims of a Pod took. */
  victimsDeleted(result: "success" | "error", durationMs: number): void;
  eventHandled(event: string, durationMs: number): void;
  hintTook(durationMs: number, of: { plugin: string; event: string; hint: "Queue" | "QueueSkip" }): void;
  follow(gauges: { readonly cache: () => CacheCounts; readonly binding: () => number }): void;
}

const fromAttempt = 15;

/** Registers all metrics of the scheduler. */
export function schedulerMeter(metrics: Metrics): SchedulerMeter {
  const seconds = histograms(metrics);
  const attempts = metrics.counter({
    name: "scheduler_schedule_attempts_total",
    help: "Attempts to schedule Pods, by result.",
    labels: ["result", "profile"],
  });
  const evaluations = metrics.counter({
    name: "scheduler_plugin_evaluation_total",
    help: "Attempts in which a plugin did not skip an extension point.",
    labels: ["plugin", "extension_point", "profile"],
  });
  const afterFlush = metrics.counter({
    name: "scheduler_pod_scheduled_after_flush_total",
    help: "Pods that were scheduled after a flush of the unschedulable Pods, not after an event.",
    labels: [],
  });
  afterFlush.increase({}, 0);
  const preemptions = metrics.counter({
    name: "scheduler_preemption_attempts_total",
    help: "Attempts to make room for a Pod by preemption.",
    labels: [],
  });
  preemptions.increase({}, 0);
  const deletions = metrics.counter({
    name: "scheduler_preemption_goroutines_execution_total",
    help: "Times the API server was asked to delete the victims of a Pod, by result.",
    labels: ["result"],
  });
  return {
    queue: queueMeter(metrics),
    pointTook: (extension_point, durationMs, { profile, status }) =>
      seconds.extensionPoint.observe({ extension_point, status, profile }, durationMs / 1000),
    pluginTook: (plugin, durationMs, { point, status }) =>
      seconds.plugin.observe({ plugin, extension_point: point, status }, durationMs / 1000),
    evaluated: (plugin, extension_point, profile) =>
      evaluations.increase({ plugin, extension_point, profile }),
    algorithmTook: (durationMs) => seconds.algorithm.observe({}, durationMs / 1000),
    attemptEnded(result, durationMs, profile) {
      attempts.increase({ result, profile });
      seconds.attempt.observe({ result, profile }, durationMs / 1000);
      seconds.endToEnd.observe({ result, profile }, durationMs / 1000);
    },
    podScheduled({ attempts: count, durationMs, afterFlush: wasFlushed }) {
      const label = count >= fromAttempt ? `${fromAttempt}+` : String(count);
      seconds.sli.observe({ attempts: label }, durationMs / 1000);
      seconds.attemptsPerPod.observe({}, count);
      if (wasFlushed) afterFlush.increase({});
    },
    preemptionAttempted: () => preemptions.increase({}),
    victimsChosen: (count) => seconds.preemptionVictims.observe({}, count),
    victimsDeleted(result, durationMs) {
      deletions.increase({ result });
      seconds.preemption.observe({ result }, durationMs / 1000);
    },
    eventHandled: (event, durationMs) => seconds.event.observe({ event }, durationMs / 1000),
    hintTook: (durationMs, { plugin, event, hint }) =>
      seconds.hint.observe({ plugin, event, hint }, durationMs / 1000),
    follow: (gauges) => follow(metrics, gauges),
  };
}

function follow(
  metrics: Metrics,
  { cache, binding }: { readonly cache: () => CacheCounts; readonly binding: () => number },
): void {
  const size = metrics.gauge({
    name: "scheduler_cache_size",
    help: "Nodes, Pods and assumed Pods in the cache.",
    labels: ["type"],
  });
  for (const type of ["nodes", "pods", "assumed_pods"] as const) size.follow({ type }, () => cache()[type]);
  metrics
    .gauge({
      name: "scheduler_goroutines",
      help: "Operations in progress beside the scheduling of the next Pod.",
      labels: ["operation"],
    })
    .follow({ operation: "binding" }, binding);
}

/** Measures every evaluation of hints. */
export function measuredHints(
  hints: ReadonlyMap<string, QueueingHints>,
  meter: Pick<SchedulerMeter, "hintTook">,
  stopwatch: () => number,
): ReadonlyMap<string, QueueingHints> {
  const measured = (plugin: string, { isHelpful, ...others }: QueueingHints): QueueingHints => ({
    ...others,
    isHelpful(waiting, event, cluster) {
      const begin = stopwatch();
      const helps = isHelpful(waiting, event, cluster);
      const hint = helps ? "Queue" : "QueueSkip";
      meter.hintTook(stopwatch() - begin, { plugin, event: eventName(event), hint });
      return helps;
    },
  });
  return new Map([...hints].map(([plugin, each]) => [plugin, measured(plugin, each)]));
}
