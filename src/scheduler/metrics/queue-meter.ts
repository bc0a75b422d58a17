import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { QueuedPod } from "../queue/queued-pod.ts";
import type { QueueMeter } from "../queue/queue-meter.ts";
import { schedulerNameOf } from "../scheduler-name.ts";
import type { SubQueue } from "../queue/waiting-pods.ts";

/** Kubernetes has one word for both kinds of time off. */
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
    help: "Pods that came to a queue, by what brought them there.",
    labels: ["queue", "event"],
  });
  const pending = metrics.gauge({
    name: "scheduler_pending_pods",
    help: "Pods that wait, by queue.",
    labels: ["queue"],
  });
  const inFlight = metrics.gauge({
    name: "scheduler_inflight_events",
    help: "Events that are kept for Pods being tried.",
    labels: ["event"],
  });
  const blame = metrics.gauge({
    name: "scheduler_unschedulable_pods",
    help: "Waiting Pods that a plugin refused.",
    labels: ["plugin", "profile"],
  });
  const refusals = tallies();
  const kept = tallies();
  const changeBlame = ({ unschedulablePlugins, info }: QueuedPod, by: number) => {
    const profile = schedulerNameOf(info.pod);
    for (const plugin of unschedulablePlugins)
      blame.set({ plugin, profile }, refusals(`${plugin}/${profile}`, by));
  };
  return {
    entered: (place, event) => incoming.increase({ queue: queueOf[place], event }),
    rejected: (entry) => changeBlame(entry, 1),
    rejectionCleared: (entry) => changeBlame(entry, -1),
    inFlight: (event, by) => inFlight.set({ event }, kept(event, by)),
    follow(count) {
      pending.follow({ queue: "active" }, () => count("active"));
      pending.follow({ queue: "backoff" }, () => count("backoff") + count("error-backoff"));
      pending.follow({ queue: "unschedulable" }, () => count("unschedulable"));
      pending.follow({ queue: "gated" }, () => count("gated"));
    },
  };
}

/** Keeps count of many things. */
function tallies(): (key: string, by: number) => number {
  const counts = new Map<string, number>();
  return (key, by) => {
    const count = (counts.get(key) ?? 0) + by;
    counts.set(key, count);
    return count;
  };
}
