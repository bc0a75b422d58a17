import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { controllerOf } from "../api/owner-references.ts";
import { downscalePodPickerOf } from "../api/workload-settings.ts";
import type { Metrics } from "../machinery/metrics/metrics.ts";
import type { CallDependencies } from "./call-picker.ts";
import { type CompletedCall, outcomeOf, type OutcomeName } from "./picker-outcome.ts";
import type { Protocol } from "./picker-settings.ts";

/** What operators can count of pickers; no label says whose they are. */
export interface PickerMetrics {
  readonly onAttempt: NonNullable<CallDependencies["onAttempt"]>;
  onCompleted(consulted: CompletedCall): void;
  /** A decision left a picker nothing to say. */
  onNotNeeded(protocol: CompletedCall["protocol"]): void;
  /** Asks how many calls are under way, whenever somebody wants to know. */
  observeInFlight(read: () => number): void;
  /** The same for the workloads that have a picker, by their ReplicaSets. */
  observeWorkloads(read: () => Iterable<ReplicaSet>): void;
}

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Registers the metrics. */
export function pickerMetrics(metrics: Metrics): PickerMetrics {
  const prefix = "replicaset_controller_downscale_pod_picker";
  const attempts = metrics.counter({
    name: `${prefix}_attempts_total`,
    help: "Attempts to ask a pod picker, by how they ended.",
    labels: ["protocol", "result"],
  });
  const consultations = metrics.counter({
    name: `${prefix}_consultations_total`,
    help: "Decisions with a pod picker at hand, by what came of it; NotNeeded: it was not asked.",
    labels: ["protocol", "outcome"],
  });
  const duration = metrics.histogram({
    name: `${prefix}_duration_seconds`,
    help: "How long consultations of pod pickers took, all attempts together.",
    labels: ["protocol", "outcome"],
    buckets: durationBuckets,
  });
  const ignored = metrics.counter({
    name: `${prefix}_ignored_pods_total`,
    help: "Names in answers of pod pickers that did not count, by reason.",
    labels: ["reason"],
  });
  const inFlight = metrics.gauge({
    name: `${prefix}_in_flight`,
    help: "Consultations of pod pickers under way.",
    labels: [],
  });
  const workloads = metrics.gauge({
    name: "trimtab_workloads_with_pod_picker",
    help: "Deployments, and ReplicaSets without one, that have a pod picker.",
    labels: ["protocol"],
  });
  return {
    onAttempt: (protocol, result) => attempts.increase({ protocol, result }),
    onCompleted({ protocol, finding, tookMs }) {
      const labels = { protocol, outcome: outcomeOf(finding) };
      consultations.increase(labels);
      duration.observe(labels, tookMs / 1000);
      if (finding.kind === "failed") return;
      const { unknown, duplicate, inBothLists } = finding.answer.ignored;
      const counts = Object.entries({ unknown, duplicate, both_lists: inBothLists });
      for (const [reason, count] of counts) if (count > 0) ignored.increase({ reason }, count);
    },
    onNotNeeded(protocol) {
      const outcome: OutcomeName = "NotNeeded";
      consultations.increase({ protocol, outcome });
    },
    observeInFlight: (read) => inFlight.follow({}, read),
    observeWorkloads(read) {
      for (const protocol of ["http", "grpc"] as const)
        workloads.follow({ protocol }, () => countOf(read(), protocol));
    },
  };
}

/** Of a Deployment's ReplicaSets, however many have the picker, one counts. */
function countOf(replicaSets: Iterable<ReplicaSet>, protocol: Protocol): number {
  const workloads = new Set<string>();
  for (const replicaSet of replicaSets) {
    const picker = downscalePodPickerOf(replicaSet);
    if (typeof picker !== "object" || picker === null || !(protocol in picker)) continue;
    workloads.add(controllerOf(replicaSet)?.uid ?? replicaSet.metadata.uid);
  }
  return workloads.size;
}
