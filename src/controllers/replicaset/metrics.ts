import type { decidingRule } from "../../decisions/downscale/reason.ts";
import { heldByWorkload, heldGauge } from "../../decisions/replicas/held-by-workload.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { UnreadWrite } from "../../machinery/read-your-writes.ts";

/** The metrics of this controller. */
export interface ReplicaMetrics {
  /** How old a Ready victim was, as a multiple of the youngest Ready Pod's age. */
  ageRatio(ratio: number): void;
  /** A Pod was chosen to be removed by this rule. */
  removed(rule: ReturnType<typeof decidingRule>): void;
  /** A sync was put off because the informer had not read the controller's own writes. */
  staleSync(unread: UnreadWrite): void;
  /** Reads whose removals are held back whenever metrics are collected. */
  observeHolds(owners: () => Iterable<ReplicaOwner>): void;
}

// upstream: pkg/controller/replicaset/metrics
const ageRatioBuckets = [0.25, 0.5, 1, 2, 4, 8];

/** Registers the metrics; kinds that share a registry share them. */
export function replicaMetrics(metrics: Metrics): ReplicaMetrics {
  const ageRatio = metrics.histogram({
    name: "replicaset_controller_sorting_deletion_age_ratio",
    help: "Age of a Ready Pod chosen to be removed, divided by that of the youngest Ready Pod of its ReplicaSet.",
    labels: [],
    buckets: ageRatioBuckets,
  });
  const staleSkips = metrics.counter({
    name: "replicaset_controller_stale_sync_skips_total",
    help: "Syncs put off because the informers had not read the controller's own writes.",
    labels: ["group", "resource"],
  });
  const removals = metrics.counter({
    name: "trimtab_removals_total",
    help: "Pods chosen to be removed when a workload was scaled down, by the rule that decided.",
    labels: ["rule"],
  });
  const held = metrics.gauge(heldGauge);
  return {
    ageRatio: (ratio) => ageRatio.observe({}, ratio),
    removed: (rule) => removals.increase({ rule }),
    staleSync: ({ resource }) => staleSkips.increase({ group: resource.group, resource: resource.plural }),
    observeHolds: (owners) => held.collect(() => heldByWorkload(owners())),
  };
}
