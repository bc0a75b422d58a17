import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { parseTime } from "../../api/time.ts";
import type { StateMetric } from "./state-metric.ts";

/** The metrics of kube-state-metrics for ReplicaSets; unlike there, one without owners has no `kube_replicaset_owner`. */
export const replicaSetMetrics: readonly StateMetric<ReplicaSet>[] = [
  {
    name: "kube_replicaset_created",
    help: "Unix creation timestamp.",
    read: ({ metadata }) => {
      const created = parseTime(metadata.creationTimestamp);
      return created === undefined ? undefined : created / 1000;
    },
  },
  {
    name: "kube_replicaset_metadata_generation",
    help: "Sequence number of a specific generation of the desired state.",
    read: ({ metadata }) => metadata.generation,
  },
  {
    name: "kube_replicaset_spec_replicas",
    help: "Number of desired Pods.",
    read: ({ spec }) => spec.replicas ?? 1,
  },
  {
    name: "kube_replicaset_status_observed_generation",
    help: "The generation last observed by the controller.",
    read: ({ status }) => status?.observedGeneration ?? 0,
  },
  {
    name: "kube_replicaset_status_replicas",
    help: "Number of Pods that are not terminating.",
    read: ({ status }) => status?.replicas ?? 0,
  },
  {
    name: "kube_replicaset_status_fully_labeled_replicas",
    help: "Number of Pods that have all labels of the template.",
    read: ({ status }) => status?.fullyLabeledReplicas ?? 0,
  },
  {
    name: "kube_replicaset_status_ready_replicas",
    help: "Number of ready Pods.",
    read: ({ status }) => status?.readyReplicas ?? 0,
  },
  {
    name: "kube_replicaset_status_terminating_replicas",
    help: "Number of terminating Pods; absent where they are not counted.",
    read: ({ status }) => status?.terminatingReplicas ?? undefined,
  },
  {
    name: "kube_replicaset_owner",
    help: "The owners of a ReplicaSet.",
    labels: ["owner_kind", "owner_name", "owner_is_controller"],
    read: ({ metadata }) =>
      (metadata.ownerReferences ?? []).map(({ kind, name, controller = false }) => ({
        value: 1,
        labels: { owner_kind: kind, owner_name: name, owner_is_controller: String(controller) },
      })),
  },
];
