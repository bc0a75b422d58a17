import type { CustomResourceDefinition } from "./generated/apiextensions-v1.ts";
import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from "./generated/apps-v1.ts";
import type { TokenReview } from "./generated/authentication-v1.ts";
import type { SubjectAccessReview } from "./generated/authorization-v1.ts";
import type { HorizontalPodAutoscaler } from "./generated/autoscaling-v2.ts";
import type { CronJob, Job } from "./generated/batch-v1.ts";
import type { Lease } from "./generated/coordination-v1.ts";
import type {
  ConfigMap,
  Endpoints,
  Event,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from "./generated/core-v1.ts";
import type { EndpointSlice } from "./generated/discovery-v1.ts";
import type { PodDisruptionBudget } from "./generated/policy-v1.ts";
import type { ClusterRole } from "./generated/rbac-v1.ts";
import type { PriorityClass } from "./generated/scheduling-v1.ts";
import type { StorageClass } from "./generated/storage-v1.ts";
import type { Resource } from "./resource.ts";

// The resources that components read and write; all others are looked up in the schema table.

const core = { group: "", version: "v1", namespaced: true } as const;
const apps = { group: "apps", version: "v1", namespaced: true } as const;

export const pods: Resource<Pod> = { ...core, kind: "Pod", plural: "pods" };
export const nodes: Resource<Node> = { ...core, kind: "Node", plural: "nodes", namespaced: false };
export const namespaces: Resource<Namespace> = {
  ...core,
  kind: "Namespace",
  plural: "namespaces",
  namespaced: false,
};
export const events: Resource<Event> = { ...core, kind: "Event", plural: "events" };
export const services: Resource<Service> = { ...core, kind: "Service", plural: "services" };
export const endpoints: Resource<Endpoints> = { ...core, kind: "Endpoints", plural: "endpoints" };
export const configMaps: Resource<ConfigMap> = { ...core, kind: "ConfigMap", plural: "configmaps" };
export const secrets: Resource<Secret> = { ...core, kind: "Secret", plural: "secrets" };
export const serviceAccounts: Resource<ServiceAccount> = {
  ...core,
  kind: "ServiceAccount",
  plural: "serviceaccounts",
};
export const resourceQuotas: Resource<ResourceQuota> = {
  ...core,
  kind: "ResourceQuota",
  plural: "resourcequotas",
};
export const persistentVolumeClaims: Resource<PersistentVolumeClaim> = {
  ...core,
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
};
export const persistentVolumes: Resource<PersistentVolume> = {
  ...core,
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  namespaced: false,
};
export const replicationControllers: Resource<ReplicationController> = {
  ...core,
  kind: "ReplicationController",
  plural: "replicationcontrollers",
};
export const deployments: Resource<Deployment> = { ...apps, kind: "Deployment", plural: "deployments" };
export const replicaSets: Resource<ReplicaSet> = { ...apps, kind: "ReplicaSet", plural: "replicasets" };
export const daemonSets: Resource<DaemonSet> = { ...apps, kind: "DaemonSet", plural: "daemonsets" };
export const statefulSets: Resource<StatefulSet> = { ...apps, kind: "StatefulSet", plural: "statefulsets" };
export const controllerRevisions: Resource<ControllerRevision> = {
  ...apps,
  kind: "ControllerRevision",
  plural: "controllerrevisions",
};
export const jobs: Resource<Job> = {
  group: "batch",
  version: "v1",
  kind: "Job",
  plural: "jobs",
  namespaced: true,
};
export const cronJobs: Resource<CronJob> = {
  group: "batch",
  version: "v1",
  kind: "CronJob",
  plural: "cronjobs",
  namespaced: true,
};
export const horizontalPodAutoscalers: Resource<HorizontalPodAutoscaler> = {
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  namespaced: true,
};
export const leases: Resource<Lease> = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  namespaced: true,
};
export const endpointSlices: Resource<EndpointSlice> = {
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  plural: "endpointslices",
  namespaced: true,
};
export const priorityClasses: Resource<PriorityClass> = {
  group: "scheduling.k8s.io",
  version: "v1",
  kind: "PriorityClass",
  plural: "priorityclasses",
  namespaced: false,
};
export const clusterRoles: Resource<ClusterRole> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  plural: "clusterroles",
  namespaced: false,
};
export const storageClasses: Resource<StorageClass> = {
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  plural: "storageclasses",
  namespaced: false,
};
export const podDisruptionBudgets: Resource<PodDisruptionBudget> = {
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  namespaced: true,
};
export const tokenReviews: Resource<TokenReview> = {
  group: "authentication.k8s.io",
  version: "v1",
  kind: "TokenReview",
  plural: "tokenreviews",
  namespaced: false,
};
export const subjectAccessReviews: Resource<SubjectAccessReview> = {
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  namespaced: false,
};
export const customResourceDefinitions: Resource<CustomResourceDefinition> = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
};
