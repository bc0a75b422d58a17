import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import type { Metrics } from "../../machinery/metrics/metrics.ts";
import type { UnreadWrite } from "../../machinery/read-your-writes.ts";

/** How many Pods of a set may be unavailable during an update, and how many are. */
export interface AvailabilityNumbers {
  readonly maxUnavailable: number;
  readonly unavailable: number;
}

/** The metrics of this controller. */
export interface StatefulMetrics {
  /** Measured while the gate `MaxUnavailableStatefulSet` is on. */
  availability(set: StatefulSet, numbers: AvailabilityNumbers): void;
  /** The set is gone, and so are its values. */
  forget(key: string): void;
  /** A sync was put off because an informer had not read the controller's own writes. */
  staleSync(unread: UnreadWrite): void;
}

interface Measured extends AvailabilityNumbers {
  readonly labels: Readonly<Record<(typeof setLabels)[number], string>>;
}

const setLabels = ["statefulset_namespace", "statefulset_name", "pod_management_policy"] as const;

export function statefulMetrics(metrics: Metrics): StatefulMetrics {
  const measured = new Map<string, Measured>();
  const gauge = (name: string, help: string, valueOf: (numbers: AvailabilityNumbers) => number) =>
    metrics
      .gauge({ name: `statefulset_controller_${name}`, help, labels: setLabels })
      .collect(() => [...measured.values()].map(({ labels, ...rest }) => ({ labels, value: valueOf(rest) })));
  gauge(
    "statefulset_max_unavailable",
    "How many Pods of a StatefulSet may be unavailable during an update.",
    ({ maxUnavailable }) => maxUnavailable,
  );
  gauge(
    "statefulset_unavailable_replicas",
    "How many ordinals of a StatefulSet have no available Pod.",
    ({ unavailable }) => unavailable,
  );
  const staleSkips = metrics.counter({
    name: "statefulset_controller_stale_sync_skips_total",
    help: "Syncs put off because the informers had not read the controller's own writes.",
    labels: ["group", "resource"],
  });
  return {
    availability({ metadata, spec }, numbers) {
      const labels = {
        statefulset_namespace: metadata.namespace ?? "",
        statefulset_name: metadata.name,
        pod_management_policy: spec.podManagementPolicy ?? "",
      };
      measured.set(`${metadata.namespace ?? ""}/${metadata.name}`, { labels, ...numbers });
    },
    forget: (key) => void measured.delete(key),
    staleSync: ({ resource }) => staleSkips.increase({ group: resource.group, resource: resource.plural }),
  };
}
