import { heldGauge } from "../decisions/replicas/held-by-workload.ts";
import type { Counter, Gauge, Histogram, Metrics } from "../machinery/metrics/metrics.ts";

export interface SteeringMetrics {
  /** Requests at admission by what they were, and what became of them. */
  readonly admissions: Counter<"kind" | "outcome">;
  readonly admissionSeconds: Histogram<"kind">;
  readonly decisions: Counter<"marked">;
  readonly marks: Counter<"what">;
  readonly mismatches: Counter<"cause">;
  readonly nudges: Counter<never>;
  readonly unblocked: Counter<never>;
  readonly removalsHeld: Gauge<"namespace" | "workload">;
  readonly unfulfilled: Counter<"cause">;
  readonly observed: Counter<"what">;
  readonly unnamedScales: Gauge<never>;
  readonly leading: Gauge<"name">;
  readonly certificateEnd: Gauge<never>;
}

const secondBuckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3, 10];

/** Registers the metrics of `trimtab steer`. */
export function steeringMetrics(metrics: Metrics): SteeringMetrics {
  return {
    admissions: metrics.counter({
      name: "trimtab_steer_admissions_total",
      help: "Number of admission requests by what was asked and what came of it.",
      labels: ["kind", "outcome"],
    }),
    admissionSeconds: metrics.histogram({
      name: "trimtab_steer_admission_seconds",
      help: "Time that requests were held in admission.",
      labels: ["kind"],
      buckets: secondBuckets,
    }),
    decisions: metrics.counter({
      name: "trimtab_steer_decisions_total",
      help: "Number of steered scale-downs by who was marked.",
      labels: ["marked"],
    }),
    marks: metrics.counter({
      name: "trimtab_steer_marks_total",
      help: "Number of marks of Pods that were written, undone, skipped because the Pod was gone, or failed.",
      labels: ["what"],
    }),
    mismatches: metrics.counter({
      name: "trimtab_steer_mismatches_total",
      help: "Number of steered scale-downs that removed other Pods than decided; CostsChanged: others changed costs meanwhile.",
      labels: ["cause"],
    }),
    nudges: metrics.counter({
      name: "trimtab_steer_nudges_total",
      help: "Number of times that a Deployment was woken: there was room for what was capped, or Pods that were held back may go.",
      labels: [],
    }),
    unblocked: metrics.counter({
      name: "trimtab_steer_unblocked_total",
      help: "Number of times that an old ReplicaSet was shrunk because its rollout waited for terminating Pods.",
      labels: [],
    }),
    removalsHeld: metrics.gauge(heldGauge),
    unfulfilled: metrics.counter({
      name: "trimtab_steer_wishes_unfulfilled_total",
      help: "Number of times that a workload did not get what it asks for, by the cause that its event says.",
      labels: ["cause"],
    }),
    observed: metrics.counter({
      name: "trimtab_steer_observed_total",
      help: "Number of scale-downs in mode observe that removed the same Pods as steering would have, or other ones, and of times that growth exceeded a budget.",
      labels: ["what"],
    }),
    leading: metrics.gauge({
      name: "leader_election_master_status",
      help: "Whether this replica holds the Lease (1) or waits for it (0).",
      labels: ["name"],
    }),
    certificateEnd: metrics.gauge({
      name: "trimtab_steer_certificate_end_timestamp_seconds",
      help: "When the webhook's serving certificate ends, in seconds since 1970.",
      labels: [],
    }),
    unnamedScales: metrics.gauge({
      name: "trimtab_steer_unnamed_scales",
      help: "Number of ReplicaSets that ask to be steered and are not when they are scaled through /scale: the webhook cannot name more than 1,000.",
      labels: [],
    }),
  };
}
