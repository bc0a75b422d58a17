import { qualifiedKind, type Resource } from "../../../api/resource.ts";
import { defaultTable, type TableDescription } from "../tables/table-description.ts";
import { configMapPresentation } from "./config-map/presentation.ts";
import { controllerRevisionPresentation } from "./controller-revision/presentation.ts";
import { cronJobPresentation } from "./cron-job/presentation.ts";
import { daemonSetPresentation } from "./daemon-set/presentation.ts";
import { deploymentPresentation } from "./deployment/presentation.ts";
import { endpointSlicePresentation } from "./endpoint-slice/presentation.ts";
import { endpointsPresentation } from "./endpoints/presentation.ts";
import { coreEventPresentation, eventPresentation } from "./event/presentation.ts";
import { horizontalPodAutoscalerPresentation } from "./horizontal-pod-autoscaler/presentation.ts";
import { ingressPresentation } from "./ingress/presentation.ts";
import { jobPresentation } from "./job/presentation.ts";
import { leasePresentation } from "./lease/presentation.ts";
import { namespacePresentation } from "./namespace/presentation.ts";
import { nodePresentation } from "./node/presentation.ts";
import { persistentVolumeClaimPresentation } from "./persistent-volume-claim/presentation.ts";
import { podPresentation } from "./pod/presentation.ts";
import { podDisruptionBudgetPresentation } from "./pod-disruption-budget/presentation.ts";
import { priorityClassPresentation } from "./priority-class/presentation.ts";
import { replicaSetPresentation } from "./replica-set/presentation.ts";
import { replicationControllerPresentation } from "./replication-controller/presentation.ts";
import { nodeMetricsPresentation, podMetricsPresentation } from "./resource-metrics/presentation.ts";
import { resourceQuotaPresentation } from "./resource-quota/presentation.ts";
import { scalePresentation } from "./scale/presentation.ts";
import { secretPresentation } from "./secret/presentation.ts";
import { servicePresentation } from "./service/presentation.ts";
import { serviceAccountPresentation } from "./service-account/presentation.ts";
import { statefulSetPresentation } from "./stateful-set/presentation.ts";
import { plainTables } from "./plain/plain-tables.ts";
import {
  mutatingWebhookConfigurationPresentation,
  validatingWebhookConfigurationPresentation,
} from "./webhook-configuration/presentation.ts";
import type { KindPresentation } from "./kind-presentation.ts";

/** The presentations by group and kind (`Deployment.apps`, `Pod`). */
export const presentations: ReadonlyMap<string, KindPresentation> = new Map([
  ["ConfigMap", configMapPresentation],
  ["Endpoints", endpointsPresentation],
  ["Event", coreEventPresentation],
  ["Namespace", namespacePresentation],
  ["Node", nodePresentation],
  ["PersistentVolumeClaim", persistentVolumeClaimPresentation],
  ["Pod", podPresentation],
  ["ReplicationController", replicationControllerPresentation],
  ["ResourceQuota", resourceQuotaPresentation],
  ["Secret", secretPresentation],
  ["Service", servicePresentation],
  ["ServiceAccount", serviceAccountPresentation],
  ["ControllerRevision.apps", controllerRevisionPresentation],
  ["DaemonSet.apps", daemonSetPresentation],
  ["Deployment.apps", deploymentPresentation],
  ["ReplicaSet.apps", replicaSetPresentation],
  ["StatefulSet.apps", statefulSetPresentation],
  ["HorizontalPodAutoscaler.autoscaling", horizontalPodAutoscalerPresentation],
  ["Scale.autoscaling", scalePresentation],
  ["CronJob.batch", cronJobPresentation],
  ["Job.batch", jobPresentation],
  ["Lease.coordination.k8s.io", leasePresentation],
  ["EndpointSlice.discovery.k8s.io", endpointSlicePresentation],
  ["NodeMetrics.metrics.k8s.io", nodeMetricsPresentation],
  ["PodMetrics.metrics.k8s.io", podMetricsPresentation],
  ["Event.events.k8s.io", eventPresentation],
  ["Ingress.networking.k8s.io", ingressPresentation],
  ["PodDisruptionBudget.policy", podDisruptionBudgetPresentation],
  ["PriorityClass.scheduling.k8s.io", priorityClassPresentation],
  ["MutatingWebhookConfiguration.admissionregistration.k8s.io", mutatingWebhookConfigurationPresentation],
  ["ValidatingWebhookConfiguration.admissionregistration.k8s.io", validatingWebhookConfigurationPresentation],
]);

/** The table of a kind in a version; name and creation time for a kind without columns of its own. */
export function tableFor({
  group,
  version,
  kind,
}: Pick<Resource, "group" | "version" | "kind">): TableDescription {
  const key = qualifiedKind({ group, kind });
  const { tableOfVersion, table } = presentations.get(key) ?? {};
  return tableOfVersion?.[version] ?? table ?? plainTables.get(key) ?? defaultTable;
}
