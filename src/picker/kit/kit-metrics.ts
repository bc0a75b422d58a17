import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { Protocol } from "../picker-settings.ts";

/** How a question ended. */
export type Result = "answered" | RefusalReason;

/** Why a question has no answer. */
export type RefusalReason =
  | "bad_request"
  | "busy"
  | "cancelled"
  | "failed"
  | "late_question"
  | "overran"
  | "stopping"
  | "unauthenticated";

export interface KitMetrics {
  /** Counts a question and the time it took. */
  ended(protocol: Protocol, result: Result, tookMs: number): void;
  scored(): void;
}

/** Registers the metrics of a picker. */
export function kitMetrics(metrics: Metrics, inFlight: () => number): KitMetrics {
  const labels = ["protocol", "result"] as const;
  const requests = metrics.counter({
    name: "pod_picker_requests_total",
    help: "Questions by how they ended.",
    labels,
  });
  const durations = metrics.histogram({
    name: "pod_picker_request_duration_seconds",
    help: "How long questions took, by how they ended.",
    labels,
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  const scored = metrics.counter({
    name: "pod_picker_scored_pods_total",
    help: "How many Pods the score function was called for.",
    labels: [],
  });
  const running = metrics.gauge({
    name: "pod_picker_requests_in_flight",
    help: "Questions that are being answered.",
    labels: [],
  });
  running.follow({}, inFlight);
  return {
    ended(protocol, result, tookMs) {
      requests.increase({ protocol, result });
      durations.observe({ protocol, result }, tookMs / 1000);
    },
    scored: () => scored.increase({}),
  };
}
