import type { JsonObject } from "../json.ts";
import { pathSegmentProblems } from "../names.ts";
import { qualifiedKind } from "../resource.ts";
import { configMap } from "./config-map/config-map.ts";
import { controllerRevision } from "./controller-revision/controller-revision.ts";
import { cronJob } from "./cron-job/cron-job.ts";
import { daemonSet } from "./daemon-set/daemon-set.ts";
import { deployment } from "./deployment/deployment.ts";
import { endpointSlice } from "./endpoint-slice/endpoint-slice.ts";
import { endpoints } from "./endpoints/endpoints.ts";
import { event } from "./event/event.ts";
import { newerEvent } from "./event/newer-event.ts";
import { horizontalPodAutoscaler } from "./horizontal-pod-autoscaler/horizontal-pod-autoscaler.ts";
import { job } from "./job/job.ts";
import type { Kind } from "./kind.ts";
import { lease } from "./lease/lease.ts";
import type { Manners } from "./manners.ts";
import { namespace } from "./namespace/namespace.ts";
import { node } from "./node/node.ts";
import { withObjectMeta } from "./object-meta/with-object-meta.ts";
import { podDisruptionBudget } from "./pod-disruption-budget/pod-disruption-budget.ts";
import { pod } from "./pod/pod.ts";
import { priorityClass } from "./priority-class/priority-class.ts";
import { replicaSet } from "./replica-set/replica-set.ts";
import { replicationController } from "./replication-controller/replication-controller.ts";
import { secret } from "./secret/secret.ts";
import { service } from "./service/service.ts";
import { statefulSet } from "./stateful-set/stateful-set.ts";

type Entry = readonly [name: string, manners: Manners];

/** A kind by `Kind.group`, core kinds by their bare name; from here on objects are JSON whose types were checked. */
function kind<T extends object>(name: string, manners: Kind<T>): Entry {
  return [name, withObjectMeta(manners as unknown as Kind<JsonObject>)];
}

// Kinds that are data: what the schema and metadata say is all there is to them.
const plain: Kind<JsonObject> = { unconditionalUpdate: true };
const returned: Kind<JsonObject> = { ...plain, returnsObjectOnDelete: true };
const attached: Kind<JsonObject> = { returnsObjectOnDelete: true };
const specified: Kind<JsonObject> = { ...plain, generation: "spec" };
const role: Kind<JsonObject> = { ...plain, names: pathSegmentProblems, createOnUpdate: true };

const all: ReadonlyMap<string, Manners> = new Map([
  kind("Pod", pod),
  kind("Node", node),
  kind("Namespace", namespace),
  kind("Event", event),
  kind("Service", service),
  kind("Endpoints", endpoints),
  kind("ConfigMap", configMap),
  kind("Secret", secret),
  kind("ServiceAccount", returned),
  kind("ReplicationController", replicationController),
  kind("LimitRange", { ...plain, createOnUpdate: true }),
  kind("ResourceQuota", returned),
  kind("PersistentVolume", returned),
  kind("PersistentVolumeClaim", returned),
  kind("PodTemplate", returned),
  kind("Deployment.apps", deployment),
  kind("ReplicaSet.apps", replicaSet),
  kind("StatefulSet.apps", statefulSet),
  kind("DaemonSet.apps", daemonSet),
  kind("ControllerRevision.apps", controllerRevision),
  kind("HorizontalPodAutoscaler.autoscaling", horizontalPodAutoscaler),
  kind("Job.batch", job),
  kind("CronJob.batch", cronJob),
  kind("Lease.coordination.k8s.io", lease),
  kind("EndpointSlice.discovery.k8s.io", endpointSlice),
  kind("Event.events.k8s.io", newerEvent),
  kind("Ingress.networking.k8s.io", specified),
  kind("IngressClass.networking.k8s.io", specified),
  kind("NetworkPolicy.networking.k8s.io", specified),
  kind("PodDisruptionBudget.policy", podDisruptionBudget),
  kind("ClusterRole.rbac.authorization.k8s.io", role),
  kind("ClusterRoleBinding.rbac.authorization.k8s.io", role),
  kind("Role.rbac.authorization.k8s.io", role),
  kind("RoleBinding.rbac.authorization.k8s.io", role),
  kind("PriorityClass.scheduling.k8s.io", priorityClass),
  kind("CSIDriver.storage.k8s.io", attached),
  kind("CSINode.storage.k8s.io", attached),
  kind("CSIStorageCapacity.storage.k8s.io", attached),
  kind("StorageClass.storage.k8s.io", returned),
  kind("VolumeAttachment.storage.k8s.io", attached),
]);

const [, unknown] = kind("", plain);

/** The manners of a kind; one that has none of its own has those of metadata. */
export function mannersOf(group: string, kind: string): Manners {
  return all.get(qualifiedKind({ group, kind })) ?? unknown;
}
