import type { Instant } from "../../api/time.ts";
import type { Clock } from "../clock/clock.ts";
import type { Metrics } from "./metrics.ts";

/** What a work queue says about its keys as they pass through. */
export interface QueueMetrics {
  /** Waits from now on; not said of a key that waits already. */
  added(key: string): void;
  /** A worker has taken it. */
  started(key: string): void;
  /** The worker is done with it, well or not. */
  finished(key: string): void;
  /** It failed and is to come back later. */
  retried(key: string): void;
}

const labels = ["name"] as const;
// upstream: component-base, the buckets of workqueue_*_duration_seconds
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10];

/** Measures a queue under the names Kubernetes has for it: `workqueue_*{name="replicaset"}`. */
export function queueMetrics(metrics: Metrics, clock: Clock, name: string): QueueMetrics {
  const own = { name };
  const secondsSince = (instant: Instant) => (clock.now() - instant) / 1000;
  const waiting = new Map<string, Instant>();
  const running = new Map<string, Instant>();
  const ages = () => [...running.values()].map(secondsSince);
  const measured = register(metrics);

  measured.depth.follow(own, () => waiting.size);
  measured.unfinished.follow(own, () => ages().reduce((sum, age) => sum + age, 0));
  measured.longest.follow(own, () => Math.max(0, ...ages()));
  measured.adds.increase(own, 0);
  measured.retries.increase(own, 0);

  return {
    added(key) {
      measured.adds.increase(own);
      if (!waiting.has(key)) waiting.set(key, clock.now());
    },
    started(key) {
      const since = waiting.get(key);
      waiting.delete(key);
      if (since !== undefined) measured.queueDuration.observe(own, secondsSince(since));
      running.set(key, clock.now());
    },
    finished(key) {
      const since = running.get(key);
      running.delete(key);
      if (since !== undefined) measured.workDuration.observe(own, secondsSince(since));
    },
    retried: () => measured.retries.increase(own),
  };
}

function register(metrics: Metrics) {
  return {
    depth: metrics.gauge({ name: "workqueue_depth", help: "Keys waiting.", labels }),
    adds: metrics.counter({ name: "workqueue_adds_total", help: "Keys put into the queue.", labels }),
    queueDuration: metrics.histogram({
      name: "workqueue_queue_duration_seconds",
      help: "How long keys waited.",
      labels,
      buckets,
    }),
    workDuration: metrics.histogram({
      name: "workqueue_work_duration_seconds",
      help: "How long keys were worked on.",
      labels,
      buckets,
    }),
    unfinished: metrics.gauge({
      name: "workqueue_unfinished_work_seconds",
      help: "How long the keys in work have been so, together.",
      labels,
    }),
    longest: metrics.gauge({
      name: "workqueue_longest_running_processor_seconds",
      help: "How long the key in work for longest has been so.",
      labels,
    }),
    retries: metrics.counter({ name: "workqueue_retries_total", help: "Keys that came back.", labels }),
  };
}
