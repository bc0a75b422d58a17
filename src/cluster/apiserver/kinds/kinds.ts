import { type GroupKind, qualifiedKind, type Resource } from "../../../api/resource.ts";
import type { Conversion } from "../served-resource.ts";
import { defaultTable, type TableDescription } from "../tables/table-description.ts";
import { apiServicePresentation } from "./api-service/presentation.ts";
import { apiServiceStrategy } from "./api-service/strategy.ts";
import { certificateSigningRequestPresentation } from "./certificate-signing-request/presentation.ts";
import { certificateSigningRequestStrategy } from "./certificate-signing-request/strategy.ts";
import { componentStatusPresentation } from "./component-status/presentation.ts";
import { configMapPresentation } from "./config-map/presentation.ts";
import { configMapStrategy } from "./config-map/strategy.ts";
import { controllerRevisionPresentation } from "./controller-revision/presentation.ts";
import { controllerRevisionStrategy } from "./controller-revision/strategy.ts";
import { cronJobPresentation } from "./cron-job/presentation.ts";
import { cronJobStrategy } from "./cron-job/strategy.ts";
import { csiDriverPresentation } from "./csi-driver/presentation.ts";
import { csiDriverStrategy } from "./csi-driver/strategy.ts";
import { csiNodePresentation } from "./csi-node/presentation.ts";
import { csiStorageCapacityPresentation } from "./csi-storage-capacity/presentation.ts";
import { daemonSetPresentation } from "./daemon-set/presentation.ts";
import { daemonSetStrategy } from "./daemon-set/strategy.ts";
import { deploymentPresentation } from "./deployment/presentation.ts";
import { deploymentStrategy } from "./deployment/strategy.ts";
import { endpointSlicePresentation } from "./endpoint-slice/presentation.ts";
import { endpointSliceStrategy } from "./endpoint-slice/strategy.ts";
import { endpointsPresentation } from "./endpoints/presentation.ts";
import { endpointsStrategy } from "./endpoints/strategy.ts";
import { eventConversion } from "./event/conversion.ts";
import { coreEventPresentation, eventPresentation } from "./event/presentation.ts";
import { coreEventStrategy, eventStrategy } from "./event/strategy.ts";
import { autoscalerConversion } from "./horizontal-pod-autoscaler/conversion.ts";
import { horizontalPodAutoscalerPresentation } from "./horizontal-pod-autoscaler/presentation.ts";
import { horizontalPodAutoscalerStrategy } from "./horizontal-pod-autoscaler/strategy.ts";
import { ingressClassPresentation } from "./ingress-class/presentation.ts";
import { ingressPresentation } from "./ingress/presentation.ts";
import { ingressStrategy } from "./ingress/strategy.ts";
import { ipAddressPresentation } from "./ip-address/presentation.ts";
import { jobPresentation } from "./job/presentation.ts";
import { jobStrategy } from "./job/strategy.ts";
import { leasePresentation } from "./lease/presentation.ts";
import { leaseStrategy } from "./lease/strategy.ts";
import { limitRangePresentation } from "./limit-range/presentation.ts";
import { limitRangeStrategy } from "./limit-range/strategy.ts";
import { namespacePresentation } from "./namespace/presentation.ts";
import { namespaceStrategy } from "./namespace/strategy.ts";
import { networkPolicyPresentation } from "./network-policy/presentation.ts";
import { networkPolicyStrategy } from "./network-policy/strategy.ts";
import { nodePresentation } from "./node/presentation.ts";
import { nodeStrategy } from "./node/strategy.ts";
import { persistentVolumeClaimPresentation } from "./persistent-volume-claim/presentation.ts";
import { persistentVolumeClaimStrategy } from "./persistent-volume-claim/strategy.ts";
import { persistentVolumePresentation } from "./persistent-volume/presentation.ts";
import { persistentVolumeStrategy } from "./persistent-volume/strategy.ts";
import { podDisruptionBudgetPresentation } from "./pod-disruption-budget/presentation.ts";
import { podDisruptionBudgetStrategy } from "./pod-disruption-budget/strategy.ts";
import { podTemplatePresentation } from "./pod-template/presentation.ts";
import { podTemplateStrategy } from "./pod-template/strategy.ts";
import { podPresentation } from "./pod/presentation.ts";
import { podStrategy } from "./pod/strategy.ts";
import { priorityClassPresentation } from "./priority-class/presentation.ts";
import { priorityClassStrategy } from "./priority-class/strategy.ts";
import { replicaSetPresentation } from "./replica-set/presentation.ts";
import { replicaSetStrategy } from "./replica-set/strategy.ts";
import { replicationControllerPresentation } from "./replication-controller/presentation.ts";
import { replicationControllerStrategy } from "./replication-controller/strategy.ts";
import { nodeMetricsPresentation, podMetricsPresentation } from "./resource-metrics/presentation.ts";
import { resourceQuotaPresentation } from "./resource-quota/presentation.ts";
import { resourceQuotaStrategy } from "./resource-quota/strategy.ts";
import { clusterRoleBindingPresentation, roleBindingPresentation } from "./role-binding/presentation.ts";
import { clusterRoleBindingStrategy, roleBindingStrategy } from "./role-binding/strategy.ts";
import { clusterRolePresentation, rolePresentation } from "./role/presentation.ts";
import { clusterRoleStrategy, roleStrategy } from "./role/strategy.ts";
import { runtimeClassPresentation } from "./runtime-class/presentation.ts";
import { runtimeClassStrategy } from "./runtime-class/strategy.ts";
import { scalePresentation } from "./scale/presentation.ts";
import { secretPresentation } from "./secret/presentation.ts";
import { secretStrategy } from "./secret/strategy.ts";
import { serviceAccountPresentation } from "./service-account/presentation.ts";
import { serviceCidrPresentation } from "./service-cidr/presentation.ts";
import { servicePresentation } from "./service/presentation.ts";
import { serviceStrategy } from "./service/strategy.ts";
import { statefulSetPresentation } from "./stateful-set/presentation.ts";
import { statefulSetStrategy } from "./stateful-set/strategy.ts";
import { storageClassPresentation } from "./storage-class/presentation.ts";
import { storageClassStrategy } from "./storage-class/strategy.ts";
import { volumeAttachmentPresentation } from "./volume-attachment/presentation.ts";
import { volumeAttributesClassPresentation } from "./volume-attributes-class/presentation.ts";
import { validatingAdmissionPolicyBindingStrategy } from "./admission-policy/binding-strategy.ts";
import { validatingAdmissionPolicyStrategy } from "./admission-policy/policy-strategy.ts";
import {
  validatingAdmissionPolicyBindingPresentation,
  validatingAdmissionPolicyPresentation,
} from "./admission-policy/presentation.ts";
import {
  mutatingWebhookConfigurationPresentation,
  validatingWebhookConfigurationPresentation,
} from "./webhook-configuration/presentation.ts";
import {
  mutatingWebhookConfigurationStrategy,
  validatingWebhookConfigurationStrategy,
} from "./webhook-configuration/strategy.ts";
import { customResourceDefinitionPresentation } from "./custom-resource-definition/presentation.ts";
import { customResourceDefinitionStrategy } from "./custom-resource-definition/strategy.ts";
import type { KindPresentation } from "./kind-presentation.ts";
import type { KindStrategy } from "./kind-strategy.ts";
import { withObjectMeta } from "./object-meta/with-object-meta.ts";

/** The facts about a built-in kind besides its schema. */
interface BuiltInKind {
  readonly strategy: KindStrategy;
  readonly presentation: KindPresentation;
  /** The store's collection of its objects, if it is shared with another kind. */
  readonly collection?: string;
  /** The versions whose objects are stored in another form. */
  readonly conversions?: Readonly<Record<string, Conversion>>;
}

type Entry = readonly [groupKind: string, facts: BuiltInKind];

/** Returns one entry of the list. From here on the objects are JSON that the decoder has checked against the schema. */
function kind<T extends object>(
  groupKind: string,
  strategy: KindStrategy<T>,
  presentation: KindPresentation,
): Entry {
  return [groupKind, { strategy: withObjectMeta(strategy as unknown as KindStrategy), presentation }];
}

/** Returns an entry whose objects are stored in another form than they are served. */
function stored([groupKind, facts]: Entry, as: Pick<BuiltInKind, "collection" | "conversions">): Entry {
  return [groupKind, { ...facts, ...as }];
}

// For kinds without rules of their own: only the schema and the rules for metadata apply.
const plain: KindStrategy = { unconditionalUpdate: true };
const returned: KindStrategy = { ...plain, returnsObjectOnDelete: true };
const attached: KindStrategy = { returnsObjectOnDelete: true };
const specified: KindStrategy = { ...plain, generation: "spec" };

/** The kinds of the schema table by group and kind (`Deployment.apps`, `Pod`), and `Scale`, the body of a subresource. */
export const builtInKinds: ReadonlyMap<string, BuiltInKind> = new Map([
  kind("Pod", podStrategy, podPresentation),
  kind("Node", nodeStrategy, nodePresentation),
  kind("Namespace", namespaceStrategy, namespacePresentation),
  kind("Event", coreEventStrategy, coreEventPresentation),
  kind("Service", serviceStrategy, servicePresentation),
  kind("Endpoints", endpointsStrategy, endpointsPresentation),
  kind("ConfigMap", configMapStrategy, configMapPresentation),
  kind("Secret", secretStrategy, secretPresentation),
  kind("ServiceAccount", returned, serviceAccountPresentation),
  kind("ReplicationController", replicationControllerStrategy, replicationControllerPresentation),
  kind("LimitRange", limitRangeStrategy, limitRangePresentation),
  kind("ResourceQuota", resourceQuotaStrategy, resourceQuotaPresentation),
  kind("PersistentVolume", persistentVolumeStrategy, persistentVolumePresentation),
  kind("PersistentVolumeClaim", persistentVolumeClaimStrategy, persistentVolumeClaimPresentation),
  kind("PodTemplate", podTemplateStrategy, podTemplatePresentation),
  kind("Deployment.apps", deploymentStrategy, deploymentPresentation),
  kind("ReplicaSet.apps", replicaSetStrategy, replicaSetPresentation),
  kind("StatefulSet.apps", statefulSetStrategy, statefulSetPresentation),
  kind("DaemonSet.apps", daemonSetStrategy, daemonSetPresentation),
  kind("ControllerRevision.apps", controllerRevisionStrategy, controllerRevisionPresentation),
  stored(
    kind(
      "HorizontalPodAutoscaler.autoscaling",
      horizontalPodAutoscalerStrategy,
      horizontalPodAutoscalerPresentation,
    ),
    { conversions: { v1: autoscalerConversion } },
  ),
  kind("Job.batch", jobStrategy, jobPresentation),
  kind("CronJob.batch", cronJobStrategy, cronJobPresentation),
  kind(
    "CertificateSigningRequest.certificates.k8s.io",
    certificateSigningRequestStrategy,
    certificateSigningRequestPresentation,
  ),
  kind("Lease.coordination.k8s.io", leaseStrategy, leasePresentation),
  kind("EndpointSlice.discovery.k8s.io", endpointSliceStrategy, endpointSlicePresentation),
  stored(kind("Event.events.k8s.io", eventStrategy, eventPresentation), {
    collection: "events",
    conversions: { v1: eventConversion },
  }),
  kind("Ingress.networking.k8s.io", ingressStrategy, ingressPresentation),
  kind("IngressClass.networking.k8s.io", specified, ingressClassPresentation),
  kind("NetworkPolicy.networking.k8s.io", networkPolicyStrategy, networkPolicyPresentation),
  kind("PodDisruptionBudget.policy", podDisruptionBudgetStrategy, podDisruptionBudgetPresentation),
  kind(
    "MutatingWebhookConfiguration.admissionregistration.k8s.io",
    mutatingWebhookConfigurationStrategy,
    mutatingWebhookConfigurationPresentation,
  ),
  kind(
    "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
    validatingWebhookConfigurationStrategy,
    validatingWebhookConfigurationPresentation,
  ),
  kind(
    "ValidatingAdmissionPolicy.admissionregistration.k8s.io",
    validatingAdmissionPolicyStrategy,
    validatingAdmissionPolicyPresentation,
  ),
  kind(
    "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io",
    validatingAdmissionPolicyBindingStrategy,
    validatingAdmissionPolicyBindingPresentation,
  ),
  kind("ClusterRole.rbac.authorization.k8s.io", clusterRoleStrategy, clusterRolePresentation),
  kind(
    "ClusterRoleBinding.rbac.authorization.k8s.io",
    clusterRoleBindingStrategy,
    clusterRoleBindingPresentation,
  ),
  kind("Role.rbac.authorization.k8s.io", roleStrategy, rolePresentation),
  kind("RoleBinding.rbac.authorization.k8s.io", roleBindingStrategy, roleBindingPresentation),
  kind("PriorityClass.scheduling.k8s.io", priorityClassStrategy, priorityClassPresentation),
  kind("APIService.apiregistration.k8s.io", apiServiceStrategy, apiServicePresentation),
  kind("RuntimeClass.node.k8s.io", runtimeClassStrategy, runtimeClassPresentation),
  kind("CSIDriver.storage.k8s.io", csiDriverStrategy, csiDriverPresentation),
  kind("CSINode.storage.k8s.io", attached, csiNodePresentation),
  kind("CSIStorageCapacity.storage.k8s.io", attached, csiStorageCapacityPresentation),
  kind("StorageClass.storage.k8s.io", storageClassStrategy, storageClassPresentation),
  kind("VolumeAttachment.storage.k8s.io", attached, volumeAttachmentPresentation),
  kind(
    "CustomResourceDefinition.apiextensions.k8s.io",
    customResourceDefinitionStrategy,
    customResourceDefinitionPresentation,
  ),
  kind("Scale.autoscaling", plain, scalePresentation),
  kind("NodeMetrics.metrics.k8s.io", plain, nodeMetricsPresentation),
  kind("PodMetrics.metrics.k8s.io", plain, podMetricsPresentation),
  kind("ComponentStatus", plain, componentStatusPresentation),
  kind("IPAddress.networking.k8s.io", plain, ipAddressPresentation),
  kind("ServiceCIDR.networking.k8s.io", plain, serviceCidrPresentation),
  kind("VolumeAttributesClass.storage.k8s.io", plain, volumeAttributesClassPresentation),
]);

const [, unlisted] = kind("", plain, { descriptions: {} });

/** Returns the facts about a kind; a kind that is not listed is validated by the rules for metadata only. */
export function builtInKind(groupKind: GroupKind): BuiltInKind {
  return builtInKinds.get(qualifiedKind(groupKind)) ?? unlisted;
}

/** Returns the strategy of a built-in kind. */
export function kindStrategyOf(groupKind: GroupKind): KindStrategy {
  return builtInKind(groupKind).strategy;
}

/** Returns the table of a built-in kind in a version; name and creation time for a kind without columns of its own. */
export function tableFor(resource: Pick<Resource, "group" | "version" | "kind">): TableDescription {
  const { tableOfVersion, table } = builtInKind(resource).presentation;
  return tableOfVersion?.[resource.version] ?? table ?? defaultTable;
}
