import type { Metrics } from "../../machinery/metrics/metrics.ts";

/** Bucket bounds that grow by a factor. */
function exponential(start: number, factor: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => start * factor ** index);
}

/** The histograms of kube-scheduler, with its buckets. */
export function histograms(metrics: Metrics) {
  const histogram = <L extends string>(
    name: string,
    help: string,
    { labels, buckets }: { readonly labels: readonly L[]; readonly buckets: readonly number[] },
  ) => metrics.histogram({ name: `scheduler_${name}`, help, labels, buckets });
  const attempt = { labels: ["result", "profile"] as const, buckets: exponential(0.001, 2, 15) };
  return {
    extensionPoint: histogram(
      "framework_extension_point_duration_seconds",
      "How long all plugins of an extension point took together.",
      { labels: ["extension_point", "status", "profile"], buckets: exponential(0.0001, 2, 12) },
    ),
    plugin: histogram(
      "plugin_execution_duration_seconds",
      "How long one plugin took at an extension point, all its calls together, of one attempt in ten.",
      { labels: ["plugin", "extension_point", "status"], buckets: exponential(0.00001, 1.5, 20) },
    ),
    algorithm: histogram("scheduling_algorithm_duration_seconds", "How long it took to choose a node.", {
      labels: [],
      buckets: exponential(0.001, 2, 15),
    }),
    attempt: histogram(
      "scheduling_attempt_duration_seconds",
      "How long attempts to schedule a Pod took, binding included.",
      attempt,
    ),
    // The name at the time of KEP-1258; upstream has renamed it since.
    endToEnd: histogram(
      "e2e_scheduling_duration_seconds",
      "The same as scheduler_scheduling_attempt_duration_seconds, under its older name.",
      attempt,
    ),
    sli: histogram(
      "pod_scheduling_sli_duration_seconds",
      "How long Pods waited from when they first entered the active queue until they were scheduled.",
      { labels: ["attempts"], buckets: exponential(0.01, 2, 20) },
    ),
    attemptsPerPod: histogram("pod_scheduling_attempts", "How many attempts it took to schedule a Pod.", {
      labels: [],
      buckets: exponential(1, 2, 5),
    }),
    preemptionVictims: histogram("preemption_victims", "How many Pods had to leave a node for another one.", {
      labels: [],
      buckets: exponential(1, 2, 7),
    }),
    preemption: histogram(
      "preemption_goroutines_duration_seconds",
      "How long it took to have the API server delete the victims of a Pod.",
      { labels: ["result"], buckets: exponential(0.01, 2, 20) },
    ),
    event: histogram(
      "event_handling_duration_seconds",
      "How long it took to handle an event of the cluster.",
      {
        labels: ["event"],
        buckets: exponential(0.0001, 2, 12),
      },
    ),
    hint: histogram(
      "queueing_hint_execution_duration_seconds",
      "How long it took to evaluate the queueing hint of a plugin for an event.",
      { labels: ["plugin", "event", "hint"], buckets: exponential(0.00001, 1.5, 20) },
    ),
  };
}
