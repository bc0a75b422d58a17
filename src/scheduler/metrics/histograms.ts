import type { Metrics } from "../../machinery/metrics/metrics.ts";

/** Bounds that grow by a factor. */
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
    algorithm: histogram("scheduling_algorithm_duration_seconds", "How long it took to find a node.", {
      labels: [],
      buckets: exponential(0.001, 2, 15),
    }),
    attempt: histogram(
      "scheduling_attempt_duration_seconds",
      "How long attempts to schedule a Pod took, binding included.",
      attempt,
    ),
    // The name of the proposal's time; upstream has renamed it since.
    endToEnd: histogram(
      "e2e_scheduling_duration_seconds",
      "The same as scheduler_scheduling_attempt_duration_seconds, under its older name.",
      attempt,
    ),
    sli: histogram(
      "pod_scheduling_sli_duration_seconds",
      "How long Pods waited for their node from when they could first have been tried.",
      { labels: ["attempts"], buckets: exponential(0.01, 2, 20) },
    ),
    attemptsPerPod: histogram("pod_scheduling_attempts", "How many attempts Pods needed for their node.", {
      labels: [],
      buckets: exponential(1, 2, 5),
    }),
    event: histogram("event_handling_duration_seconds", "How long it took to take in what happened.", {
      labels: ["event"],
      buckets: exponential(0.0001, 2, 12),
    }),
    hint: histogram(
      "queueing_hint_execution_duration_seconds",
      "How long it took to find out whether an event may help a waiting Pod.",
      { labels: ["plugin", "event", "hint"], buckets: exponential(0.00001, 1.5, 20) },
    ),
  };
}
