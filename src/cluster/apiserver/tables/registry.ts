import { apiVersionOf, type Resource } from "../../../api/resource.ts";
import { configMapTable } from "../kinds/config-map/table.ts";
import { controllerRevisionTable } from "../kinds/controller-revision/table.ts";
import { daemonSetTable } from "../kinds/daemon-set/table.ts";
import { deploymentTable } from "../kinds/deployment/table.ts";
import { endpointsTable } from "../kinds/endpoints/table.ts";
import { endpointSliceTable } from "../kinds/endpoint-slice/table.ts";
import { coreEventTable, eventTable } from "../kinds/event/table.ts";
import {
  horizontalPodAutoscalerTable,
  horizontalPodAutoscalerV1Table,
} from "../kinds/horizontal-pod-autoscaler/table.ts";
import { leaseTable } from "../kinds/lease/table.ts";
import { namespaceTable } from "../kinds/namespace/table.ts";
import { nodeTable } from "../kinds/node/table.ts";
import { podTable } from "../kinds/pod/table.ts";
import { podDisruptionBudgetTable } from "../kinds/pod-disruption-budget/table.ts";
import { priorityClassTable } from "../kinds/priority-class/table.ts";
import { replicaSetTable } from "../kinds/replica-set/table.ts";
import { replicationControllerTable } from "../kinds/replication-controller/table.ts";
import { resourceQuotaTable } from "../kinds/resource-quota/table.ts";
import { scaleTable } from "../kinds/scale/table.ts";
import { secretTable } from "../kinds/secret/table.ts";
import { serviceTable } from "../kinds/service/table.ts";
import { serviceAccountTable } from "../kinds/service-account/table.ts";
import { statefulSetTable } from "../kinds/stateful-set/table.ts";
import { defaultTable } from "./default-table.ts";
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
  return tables.get(`${apiVersionOf(shown)}/${shown.kind}`) ?? defaultTable;
}
