import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { controllerOf } from "../api/owner-references.ts";
import { downscalePodPickerOf } from "../api/workload-settings.ts";
import { type CompletedCall, outcomeName, type OutcomeName } from "../decisions/downscale/picker-outcome.ts";
import type { Metrics } from "../machinery/metrics/metrics.ts";
import type { CallDependencies } from "./call/call-picker.ts";
import type { Protocol } from "./picker-settings.ts";

/** The metrics of pod pickers. No label names a namespace, a workload or a host. */
export interface PickerMetrics {
  readonly onAttempt: NonNullable<CallDependencies["onAttempt"]>;
  onCompleted(consulted: CompletedCall): void;
  /** The rules above the picker left nothing to choose. */
  onNotNeeded(protocol: CompletedCall["protocol"]): void;
  /** `read` is called whenever metrics are scraped. */
  observeInFlight(read: () => number): void;
  /** Likewise, with the ReplicaSets whose workloads are counted. */
  observeWorkloads(read: () => Iterable<ReplicaSet>): void;
}

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function pickerMetrics(metrics: Metrics): PickerMetrics {
  const prefix = "replicaset_controller_downscale_pod_picker";
  const attempts = metrics.counter({
    name: `${prefix}_attempts_total`,
    help: "Attempts to call a pod picker, by result.",
    labels: ["protocol", "result"],
  });
  const calls = metrics.counter({
    name: `${prefix}_consultations_total`,
    help: "Scale-downs of workloads with a pod picker, by outcome; NotNeeded: the picker was not called.",
    labels: ["protocol", "outcome"],
  });
  const duration = metrics.histogram({
    name: `${prefix}_duration_seconds`,
    help: "Duration of calls to pod pickers, all attempts together.",
    labels: ["protocol", "outcome"],
    buckets: durationBuckets,
  });
  const ignored = metrics.counter({
    name: `${prefix}_ignored_pods_total`,
    help: "Names in the answers of pod pickers that were ignored, by reason.",
    labels: ["reason"],
  });
  const inFlight = metrics.gauge({
    name: `${prefix}_in_flight`,
    help: "Calls to pod pickers in flight, including those that wait for a slot.",
    labels: [],
  });
  const workloads = metrics.gauge({
    name: "trimtab_workloads_with_pod_picker",
    help: "Deployments, and ReplicaSets without a Deployment, that have a pod picker.",
    labels: ["protocol"],
  });
  return {
    onAttempt: (protocol, result) => attempts.increase({ protocol, result }),
    onCompleted({ protocol, outcome, tookMs }) {
      const labels = { protocol, outcome: outcomeName(outcome) };
      calls.increase(labels);
      duration.observe(labels, tookMs / 1000);
      if (outcome.kind === "failed") return;
      const { unknown, duplicate, inBothLists } = outcome.answer.ignored;
      const counts = Object.entries({ unknown, duplicate, both_lists: inBothLists });
      for (const [reason, count] of counts) if (count > 0) ignored.increase({ reason }, count);
    },
    onNotNeeded(protocol) {
      const outcome: OutcomeName = "NotNeeded";
      calls.increase({ protocol, outcome });
    },
    observeInFlight: (read) => inFlight.follow({}, read),
    observeWorkloads(read) {
      for (const protocol of ["http", "grpc"] as const)
        workloads.follow({ protocol }, () => countOf(read(), protocol));
    },
  };
}

/** Counts workloads: all ReplicaSets of a Deployment count as one. */
function countOf(replicaSets: Iterable<ReplicaSet>, protocol: Protocol): number {
  const workloads = new Set<string>();
  for (const replicaSet of replicaSets) {
    const picker = downscalePodPickerOf(replicaSet);
    if (typeof picker !== "object" || picker === null || !(protocol in picker)) continue;
    workloads.add(controllerOf(replicaSet)?.uid ?? replicaSet.metadata.uid);
  }
  return workloads.size;
}
