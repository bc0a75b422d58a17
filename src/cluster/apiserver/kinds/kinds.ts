import { qualifiedKind, type GroupKind } from "../../../api/resource.ts";
import { configMapStrategy } from "./config-map/strategy.ts";
import { controllerRevisionStrategy } from "./controller-revision/strategy.ts";
import { cronJobStrategy } from "./cron-job/strategy.ts";
import { csiDriverStrategy } from "./csi-driver/strategy.ts";
import { daemonSetStrategy } from "./daemon-set/strategy.ts";
import { deploymentStrategy } from "./deployment/strategy.ts";
import { endpointSliceStrategy } from "./endpoint-slice/strategy.ts";
import { endpointsStrategy } from "./endpoints/strategy.ts";
import { coreEventStrategy, eventStrategy } from "./event/strategy.ts";
import { horizontalPodAutoscalerStrategy } from "./horizontal-pod-autoscaler/strategy.ts";
import { ingressStrategy } from "./ingress/strategy.ts";
import { limitRangeStrategy } from "./limit-range/strategy.ts";
import { networkPolicyStrategy } from "./network-policy/strategy.ts";
import { persistentVolumeClaimStrategy } from "./persistent-volume-claim/strategy.ts";
import { persistentVolumeStrategy } from "./persistent-volume/strategy.ts";
import { podTemplateStrategy } from "./pod-template/strategy.ts";
import { resourceQuotaStrategy } from "./resource-quota/strategy.ts";
import { storageClassStrategy } from "./storage-class/strategy.ts";
import { clusterRoleBindingStrategy, roleBindingStrategy } from "./role-binding/strategy.ts";
import { clusterRoleStrategy, roleStrategy } from "./role/strategy.ts";
import { jobStrategy } from "./job/strategy.ts";
import type { KindStrategy } from "./kind-strategy.ts";
import { leaseStrategy } from "./lease/strategy.ts";
import { namespaceStrategy } from "./namespace/strategy.ts";
import { nodeStrategy } from "./node/strategy.ts";
import { withObjectMeta } from "./object-meta/with-object-meta.ts";
import { podDisruptionBudgetStrategy } from "./pod-disruption-budget/strategy.ts";
import { podStrategy } from "./pod/strategy.ts";
import { priorityClassStrategy } from "./priority-class/strategy.ts";
import { runtimeClassStrategy } from "./runtime-class/strategy.ts";
import { replicaSetStrategy } from "./replica-set/strategy.ts";
import { replicationControllerStrategy } from "./replication-controller/strategy.ts";
import { secretStrategy } from "./secret/strategy.ts";
import { serviceStrategy } from "./service/strategy.ts";
import { statefulSetStrategy } from "./stateful-set/strategy.ts";
import {
  mutatingWebhookConfigurationStrategy,
  validatingWebhookConfigurationStrategy,
} from "./webhook-configuration/strategy.ts";

type Entry = readonly [groupKind: string, strategy: KindStrategy];

/** One line of the list. From here on the objects are JSON that the decoder has checked against the schema. */
function kind<T extends object>(groupKind: string, strategy: KindStrategy<T>): Entry {
  return [groupKind, withObjectMeta(strategy as unknown as KindStrategy)];
}

// Kinds without rules of their own: the schema and the rules for metadata are all that applies.
const plain: KindStrategy = { unconditionalUpdate: true };
const returned: KindStrategy = { ...plain, returnsObjectOnDelete: true };
const attached: KindStrategy = { returnsObjectOnDelete: true };
const specified: KindStrategy = { ...plain, generation: "spec" };

/** The strategies by group and kind (`Deployment.apps`, `Pod`). */
const strategies: ReadonlyMap<string, KindStrategy> = new Map([
  kind("Pod", podStrategy),
  kind("Node", nodeStrategy),
  kind("Namespace", namespaceStrategy),
  kind("Event", coreEventStrategy),
  kind("Service", serviceStrategy),
  kind("Endpoints", endpointsStrategy),
  kind("ConfigMap", configMapStrategy),
  kind("Secret", secretStrategy),
  kind("ServiceAccount", returned),
  kind("ReplicationController", replicationControllerStrategy),
  kind("LimitRange", limitRangeStrategy),
  kind("ResourceQuota", resourceQuotaStrategy),
  kind("PersistentVolume", persistentVolumeStrategy),
  kind("PersistentVolumeClaim", persistentVolumeClaimStrategy),
  kind("PodTemplate", podTemplateStrategy),
  kind("Deployment.apps", deploymentStrategy),
  kind("ReplicaSet.apps", replicaSetStrategy),
  kind("StatefulSet.apps", statefulSetStrategy),
  kind("DaemonSet.apps", daemonSetStrategy),
  kind("ControllerRevision.apps", controllerRevisionStrategy),
  kind("HorizontalPodAutoscaler.autoscaling", horizontalPodAutoscalerStrategy),
  kind("Job.batch", jobStrategy),
  kind("CronJob.batch", cronJobStrategy),
  kind("Lease.coordination.k8s.io", leaseStrategy),
  kind("EndpointSlice.discovery.k8s.io", endpointSliceStrategy),
  kind("Event.events.k8s.io", eventStrategy),
  kind("Ingress.networking.k8s.io", ingressStrategy),
  kind("IngressClass.networking.k8s.io", specified),
  kind("NetworkPolicy.networking.k8s.io", networkPolicyStrategy),
  kind("PodDisruptionBudget.policy", podDisruptionBudgetStrategy),
  kind("MutatingWebhookConfiguration.admissionregistration.k8s.io", mutatingWebhookConfigurationStrategy),
  kind("ValidatingWebhookConfiguration.admissionregistration.k8s.io", validatingWebhookConfigurationStrategy),
  kind("ClusterRole.rbac.authorization.k8s.io", clusterRoleStrategy),
  kind("ClusterRoleBinding.rbac.authorization.k8s.io", clusterRoleBindingStrategy),
  kind("Role.rbac.authorization.k8s.io", roleStrategy),
  kind("RoleBinding.rbac.authorization.k8s.io", roleBindingStrategy),
  kind("PriorityClass.scheduling.k8s.io", priorityClassStrategy),
  kind("RuntimeClass.node.k8s.io", runtimeClassStrategy),
  kind("CSIDriver.storage.k8s.io", csiDriverStrategy),
  kind("CSINode.storage.k8s.io", attached),
  kind("CSIStorageCapacity.storage.k8s.io", attached),
  kind("StorageClass.storage.k8s.io", storageClassStrategy),
  kind("VolumeAttachment.storage.k8s.io", attached),
]);

const [, defaultStrategy] = kind("", plain);

/** The strategy of a kind; a kind that has none of its own is validated by the rules for metadata only. */
export function kindStrategyOf(groupKind: GroupKind): KindStrategy {
  return strategies.get(qualifiedKind(groupKind)) ?? defaultStrategy;
}
