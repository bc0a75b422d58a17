import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { PodScore } from "./evaluate-rule.ts";

/** What is measured of the pickers of a configuration. */
export interface ServeMetrics {
  /** Counts a question that a rule answered, and the time its source took. */
  answered(picker: string, scores: readonly PodScore[], tookMs: number): void;
  /** Counts a question about a workload that no rule is for. */
  unknownWorkload(): void;
}

/** Registers the metrics of `trimtab picker serve`, besides those of the kit. */
export function serveMetrics(metrics: Metrics): ServeMetrics {
  const durations = metrics.histogram({
    name: "pod_picker_source_duration_seconds",
    help: "How long the source of a picker took.",
    labels: ["picker"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  const pods = metrics.counter({
    name: "pod_picker_source_pods_total",
    help: "Pods that were asked about, by what the source said: a number, nothing, or why it failed.",
    labels: ["picker", "result"],
  });
  const protectedPods = metrics.counter({
    name: "pod_picker_protected_pods_total",
    help: "Pods that a picker said may not go now, once for each question.",
    labels: ["picker"],
  });
  const unknown = metrics.counter({
    name: "pod_picker_unknown_workloads_total",
    help: "Questions about workloads that no picker of the configuration is for.",
    labels: [],
  });
  return {
    answered(picker, scores, tookMs) {
      durations.observe({ picker }, tookMs / 1000);
      for (const [result, count] of countBy(scores, resultOf)) pods.increase({ picker, result }, count);
      const held = scores.filter(({ isProtected }) => isProtected).length;
      if (held > 0) protectedPods.increase({ picker }, held);
    },
    unknownWorkload: () => unknown.increase({}),
  };
}

function resultOf({ failure, number }: PodScore): string {
  return failure?.class ?? (number === undefined ? "Missing" : "Number");
}

/** How many items have each key. */
export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
