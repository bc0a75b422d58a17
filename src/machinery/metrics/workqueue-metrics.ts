import type { QueueMetrics } from "../work-queue/queue-metrics.ts";
import type { Metrics } from "./metrics.ts";

const labels = ["name"] as const;
// upstream: component-base, the buckets of workqueue_*_duration_seconds
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10];

/** Measures work queues under the names of Kubernetes: `workqueue_*{name="replicaset"}`. */
export function workqueueMetrics(metrics: Metrics): (name: string) => QueueMetrics {
  const measured = register(metrics);
  return (name) => {
    const own = { name };
    // A counter that has not been increased is zero, not absent.
    measured.adds.increase(own, 0);
    measured.retries.increase(own, 0);
    return {
      added: () => measured.adds.increase(own),
      retried: () => measured.retries.increase(own),
      waited: (durationMs) => measured.queueDuration.observe(own, durationMs / 1000),
      worked: (durationMs) => measured.workDuration.observe(own, durationMs / 1000),
      observe(gauges) {
        measured.depth.follow(own, () => gauges.depth());
        measured.unfinished.follow(own, () => gauges.unfinishedMs() / 1000);
        measured.longest.follow(own, () => gauges.longestRunningMs() / 1000);
      },
    };
  };
}

function register(metrics: Metrics) {
  return {
    depth: metrics.gauge({ name: "workqueue_depth", help: "Number of keys waiting in the queue.", labels }),
    adds: metrics.counter({
      name: "workqueue_adds_total",
      help: "Number of keys added to the queue.",
      labels,
    }),
    queueDuration: metrics.histogram({
      name: "workqueue_queue_duration_seconds",
      help: "How long keys wait in the queue before they are processed.",
      labels,
      buckets,
    }),
    workDuration: metrics.histogram({
      name: "workqueue_work_duration_seconds",
      help: "How long processing a key takes.",
      labels,
      buckets,
    }),
    unfinished: metrics.gauge({
      name: "workqueue_unfinished_work_seconds",
      help: "Time spent so far on all keys that are being processed.",
      labels,
    }),
    longest: metrics.gauge({
      name: "workqueue_longest_running_processor_seconds",
      help: "Time spent so far on the key that has been processed for longest.",
      labels,
    }),
    retries: metrics.counter({
      name: "workqueue_retries_total",
      help: "Number of keys added again with a delay.",
      labels,
    }),
  };
}
