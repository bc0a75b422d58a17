import {
  type ArgsForPod,
  measureWorkloadSkew,
  type WorkloadSkew,
} from "../../decisions/placement/pod-topology-spread/workload-skew.ts";
import type { ClusterView } from "../../decisions/placement/view/cluster-view.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { runNowOrInSteps } from "../../machinery/clock/run-in-steps.ts";
import type { Metrics, Sample } from "../../machinery/metrics/metrics.ts";

export interface WorkloadSkewOptions {
  readonly cluster: ClusterView;
  readonly argsFor: ArgsForPod;
  readonly clock: Clock;
  /** How many series each metric has at most; absent: 1000. */
  readonly limit?: number;
}

const labels = ["namespace", "kind", "workload", "topology_key", "when_unsatisfiable"] as const;
type Label = (typeof labels)[number];

/**
 * Exposes how unevenly workloads are spread and by how much they may be, as two metrics that an alert compares. The
 * series are bounded: those that exceed their limit most are kept, and the others are counted.
 */
export function exposeWorkloadSkew(metrics: Metrics, options: WorkloadSkewOptions): void {
  const skew = metrics.gauge({
    name: "trimtab_workload_skew",
    help: "Pods of a workload in the fullest domain of a topology spread constraint less those in the emptiest.",
    labels,
  });
  const maxSkew = metrics.gauge({
    name: "trimtab_workload_max_skew",
    help: "The maxSkew of the same constraint.",
    labels,
  });
  const omitted = metrics.gauge({
    name: "trimtab_workload_skew_omitted",
    help: "Series of trimtab_workload_skew that are left out because there are too many.",
    labels: [],
  });
  const { cluster, argsFor, clock, limit = 1000 } = options;
  let kept: readonly WorkloadSkew[] = [];
  let left = 0;
  const measure = function* (): Generator<void, void, void> {
    const all = yield* measureWorkloadSkew(cluster, argsFor);
    kept = mostSkewed(all, limit);
    left = all.length - kept.length;
  };
  let measuring: Promise<void> | undefined;
  const collected =
    <T>(read: () => T) =>
    (): T | Promise<T> =>
      measuring?.then(read) ?? read();
  // Metrics are collected in the order in which they are registered: the first one measures for the others.
  skew.collect(() => {
    measuring ??= runNowOrInSteps(measure(), clock)?.finally(() => (measuring = undefined));
    return collected(() => kept.map((each) => sampleOf(each, each.skew)))();
  });
  maxSkew.collect(collected(() => kept.map((each) => sampleOf(each, each.constraint.maxSkew))));
  omitted.collect(collected(() => [{ labels: {}, value: left }]));
}

function mostSkewed(all: readonly WorkloadSkew[], limit: number): readonly WorkloadSkew[] {
  if (all.length <= limit) return all;
  const excess = ({ skew, constraint }: WorkloadSkew): number => skew - constraint.maxSkew;
  return all.toSorted((a, b) => excess(b) - excess(a)).slice(0, limit);
}

function sampleOf({ workload, constraint }: WorkloadSkew, value: number): Sample<Label> {
  const { namespace, kind, name } = workload;
  const { topologyKey, whenUnsatisfiable } = constraint;
  return {
    labels: {
      namespace,
      kind,
      workload: name,
      topology_key: topologyKey,
      when_unsatisfiable: whenUnsatisfiable,
    },
    value,
  };
}
