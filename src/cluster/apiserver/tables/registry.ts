import { apiVersionOf, type Resource } from "../../../api/resource.ts";
import { configMapTable } from "./kinds/configmap.ts";
import { controllerRevisionTable } from "./kinds/controllerrevision.ts";
import { daemonSetTable } from "./kinds/daemonset.ts";
import { deploymentTable } from "./kinds/deployment.ts";
import { endpointsTable } from "./kinds/endpoints.ts";
import { endpointSliceTable } from "./kinds/endpointslice.ts";
import { coreEventTable, eventTable } from "./kinds/event.ts";
import {
  horizontalPodAutoscalerTable,
  horizontalPodAutoscalerV1Table,
} from "./kinds/horizontalpodautoscaler.ts";
import { leaseTable } from "./kinds/lease.ts";
import { namespaceTable } from "./kinds/namespace.ts";
import { nodeTable } from "./kinds/node.ts";
import { podTable } from "./kinds/pod.ts";
import { podDisruptionBudgetTable } from "./kinds/poddisruptionbudget.ts";
import { priorityClassTable } from "./kinds/priorityclass.ts";
import { replicaSetTable } from "./kinds/replicaset.ts";
import { replicationControllerTable } from "./kinds/replicationcontroller.ts";
import { resourceQuotaTable } from "./kinds/resourcequota.ts";
import { scaleTable } from "./kinds/scale.ts";
import { secretTable } from "./kinds/secret.ts";
import { serviceTable } from "./kinds/service.ts";
import { serviceAccountTable } from "./kinds/serviceaccount.ts";
import { statefulSetTable } from "./kinds/statefulset.ts";
import { plainTable } from "./plain-table.ts";
import type { TableDescription } from "./table-description.ts";

/** Kinds shown in a way of their own, by API version and kind. */
const tables: ReadonlyMap<string, TableDescription> = new Map<string, TableDescription>([
  ["v1/ConfigMap", configMapTable],
  ["v1/Endpoints", endpointsTable],
  ["v1/Event", coreEventTable],
  ["v1/Namespace", namespaceTable],
  ["v1/Node", nodeTable],
  ["v1/Pod", podTable],
  ["v1/ReplicationController", replicationControllerTable],
  ["v1/ResourceQuota", resourceQuotaTable],
  ["v1/Secret", secretTable],
  ["v1/Service", serviceTable],
  ["v1/ServiceAccount", serviceAccountTable],
  ["apps/v1/ControllerRevision", controllerRevisionTable],
  ["apps/v1/DaemonSet", daemonSetTable],
  ["apps/v1/Deployment", deploymentTable],
  ["apps/v1/ReplicaSet", replicaSetTable],
  ["apps/v1/StatefulSet", statefulSetTable],
  ["autoscaling/v1/HorizontalPodAutoscaler", horizontalPodAutoscalerV1Table],
  ["autoscaling/v1/Scale", scaleTable],
  ["autoscaling/v2/HorizontalPodAutoscaler", horizontalPodAutoscalerTable],
  ["coordination.k8s.io/v1/Lease", leaseTable],
  ["discovery.k8s.io/v1/EndpointSlice", endpointSliceTable],
  ["events.k8s.io/v1/Event", eventTable],
  ["policy/v1/PodDisruptionBudget", podDisruptionBudgetTable],
  ["scheduling.k8s.io/v1/PriorityClass", priorityClassTable],
]);

/** How a kind is shown; names and dates when nobody said how. */
export function tableFor(shown: Pick<Resource, "group" | "version" | "kind">): TableDescription {
  return tables.get(`${apiVersionOf(shown)}/${shown.kind}`) ?? plainTable;
}
