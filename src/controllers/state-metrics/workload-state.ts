import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Metrics } from "../../machinery/metrics/metrics.ts";
import { deploymentMetrics } from "./deployment-metrics.ts";
import { replicaSetMetrics } from "./replica-set-metrics.ts";
import { exposeState } from "./state-metric.ts";

/** Lists the workloads there are now. */
export interface WorkloadListers {
  readonly deployments: () => readonly Deployment[];
  readonly replicaSets: () => readonly ReplicaSet[];
}

/** Exposes Deployments and ReplicaSets as metrics with the names of kube-state-metrics. */
export function exposeWorkloadState(metrics: Metrics, { deployments, replicaSets }: WorkloadListers): void {
  exposeState(metrics, { label: "deployment", list: deployments, metrics: deploymentMetrics });
  exposeState(metrics, { label: "replicaset", list: replicaSets, metrics: replicaSetMetrics });
}
