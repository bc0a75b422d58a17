import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { QueuedPod, QueueMeter } from "../queue/queued-pod.ts";
import { schedulerNameOf } from "../scheduler-name.ts";
import type { SubQueue } from "../queue/waiting-pods.ts";

/** The queue label of kube-scheduler's metrics. */
const queueOf: Readonly<Record<SubQueue, string>> = {
  active: "active",
  backoff: "backoff",
  "error-backoff": "backoff",
  unschedulable: "unschedulable",
  gated: "gated",
};

/** Measures the queue. */
export function queueMeter(metrics: Metrics): QueueMeter {
  const incoming = metrics.counter({
    name: "scheduler_queue_incoming_pods_total",
    help: "Pods that were added to a queue, by queue and event.",
    labels: ["queue", "event"],
  });
  const pending = metrics.gauge({
    name: "scheduler_pending_pods",
    help: "Pending Pods, by queue.",
    labels: ["queue"],
  });
  const inFlight = metrics.gauge({
    name: "scheduler_inflight_events",
    help: "Events that are kept for scheduling attempts in flight.",
    labels: ["event"],
  });
  const unschedulable = metrics.gauge({
    name: "scheduler_unschedulable_pods",
    help: "Waiting Pods that a plugin rejected.",
    labels: ["plugin", "profile"],
  });
  const rejections = tallies();
  const kept = tallies();
  const changeRejections = ({ unschedulablePlugins, info }: QueuedPod, by: number) => {
    const profile = schedulerNameOf(info.pod);
    for (const plugin of unschedulablePlugins)
      unschedulable.set({ plugin, profile }, rejections(`${plugin}/${profile}`, by));
  };
  return {
    entered: (subQueue, event) => incoming.increase({ queue: queueOf[subQueue], event }),
    rejected: (entry) => changeRejections(entry, 1),
    rejectionCleared: (entry) => changeRejections(entry, -1),
    inFlight: (event, by) => inFlight.set({ event }, kept(event, by)),
    follow(count) {
      pending.follow({ queue: "active" }, () => count("active"));
      pending.follow({ queue: "backoff" }, () => count("backoff") + count("error-backoff"));
      pending.follow({ queue: "unschedulable" }, () => count("unschedulable"));
      pending.follow({ queue: "gated" }, () => count("gated"));
    },
  };
}

/** Counts by key, and returns the new count. */
function tallies(): (key: string, by: number) => number {
  const counts = new Map<string, number>();
  return (key, by) => {
    const count = (counts.get(key) ?? 0) + by;
    counts.set(key, count);
    return count;
  };
}
