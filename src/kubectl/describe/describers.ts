import type { Json, JsonObject } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";
import type { Context } from "../context.ts";
import { listObjects } from "../selection/fetch-objects.ts";
import { findKind } from "../selection/find-type.ts";
import { at, groupOf, type KubeObject, listAt, mapAt, textAt } from "../selection/kube-object.ts";
import { deploymentSets } from "../rollout/deployment-sets.ts";
import { resourcePath } from "../server/discovery.ts";
import type { Query } from "../server/server.ts";
import { autoscalerLines } from "./describe-autoscaler.ts";
import {
  byName,
  configMapLines,
  genericLines,
  roleBindingLines,
  roleLines,
  secretLines,
  serviceAccountLines,
} from "./describe-configuration.ts";
import { describedText } from "./describe-events.ts";
import { type Lines, describedSelector } from "./describe-lines.ts";
import {
  endpointLines,
  endpointsText,
  ingressLines,
  serviceBackendText,
  serviceLines,
} from "./describe-network.ts";
import { describedNodeLines } from "./describe-node.ts";
import { podLines } from "./describe-pod.ts";
import {
  budgetLines,
  limitRangeLines,
  namespaceLines,
  priorityClassLines,
  quotaLines,
} from "./describe-policy.ts";
import { claimLines, storageClassLines, volumeObjectLines } from "./describe-storage.ts";
import {
  cronJobLines,
  daemonSetLines,
  deploymentLines,
  jobLines,
  type PodCounts,
  replicaSetLines,
  statefulSetLines,
} from "./describe-workloads.ts";

type Describer = (object: KubeObject, context: Context) => Lines | Promise<Lines>;

const kinds: Readonly<Record<string, Describer>> = {
  Pod: (pod, { io }) => podLines(pod, io.clock.now()),
  "Deployment.apps": async (each, context) => deploymentLines(each, await deploymentSets(context, each)),
  "ReplicaSet.apps": async (each, context) => replicaSetLines(each, await podCounts(each, context)),
  "StatefulSet.apps": async (each, context) => statefulSetLines(each, await podCounts(each, context)),
  "DaemonSet.apps": async (each, context) => daemonSetLines(each, await podCounts(each, context)),
  "Job.batch": jobLines,
  "CronJob.batch": cronJobLines,
  Node: describeNode,
  Service: async (each, context) =>
    serviceLines(each, await slicesOf(context, each.metadata.name, namespaceIn(each))),
  Endpoints: endpointLines,
  "Ingress.networking.k8s.io": describeIngress,
  Namespace: async (each, context) =>
    namespaceLines(each, {
      quotas: byName(await listed(context, "v1", "ResourceQuota", each.metadata.name)),
      limits: await listed(context, "v1", "LimitRange", each.metadata.name),
    }),
  ConfigMap: configMapLines,
  Secret: secretLines,
  ServiceAccount: serviceAccountLines,
  "Role.rbac.authorization.k8s.io": roleLines,
  "ClusterRole.rbac.authorization.k8s.io": roleLines,
  "RoleBinding.rbac.authorization.k8s.io": roleBindingLines,
  "ClusterRoleBinding.rbac.authorization.k8s.io": roleBindingLines,
  PersistentVolumeClaim: async (each, context) =>
    claimLines(each, await podsOfClaim(context, each), context.io.clock.now()),
  PersistentVolume: (each, { io }) => volumeObjectLines(each, io.clock.now()),
  "StorageClass.storage.k8s.io": storageClassLines,
  "HorizontalPodAutoscaler.autoscaling": autoscalerLines,
  "PodDisruptionBudget.policy": budgetLines,
  "PriorityClass.scheduling.k8s.io": priorityClassLines,
  ResourceQuota: quotaLines,
  LimitRange: limitRangeLines,
};

/** Kinds whose descriptions have no events. */
const withoutEvents = new Set([
  "Namespace",
  "Secret",
  "ResourceQuota",
  "LimitRange",
  ...["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"].map(
    (kind) => `${kind}.rbac.authorization.k8s.io`,
  ),
]);

/** The text of the description of an object. */
export async function describeObject(context: Context, object: KubeObject): Promise<string> {
  const group = groupOf(object.apiVersion);
  const kind = group === "" ? object.kind : `${object.kind}.${group}`;
  const lines = await (kinds[kind] ?? genericLines)(object, context);
  const hasEvents = context.isOn("show-events") && !withoutEvents.has(kind);
  return describedText(
    lines,
    hasEvents ? await eventsOf(context, object) : undefined,
    context.io.clock.now(),
  );
}

const namespaceIn = ({ metadata }: KubeObject) => metadata.namespace ?? "";

async function eventsOf(context: Context, { kind, metadata }: KubeObject): Promise<readonly JsonObject[]> {
  const { name, namespace = "", uid = "" } = metadata;
  const search = (id: string) => {
    const place = namespace === "" ? "" : `,involvedObject.namespace=${namespace}`;
    const fields = `involvedObject.name=${name}${place},involvedObject.kind=${kind},involvedObject.uid=${id}`;
    return listed(context, "v1", "Event", namespace, { fieldSelector: fields });
  };
  // Events of kubelets have the name of their node as its UID.
  return kind === "Node" ? [...(await search(uid)), ...(await search(name))] : search(uid);
}

/** Lists a built-in kind; nothing where it is not served. */
async function listed(
  context: Context,
  ...[apiVersion, kind, namespace, query]: readonly [string, string, string, Query?]
) {
  const resource = findKind(await context.server.resources(), { apiVersion, kind });
  return resource === undefined
    ? []
    : listObjects(context, { resource, namespace, ...(query !== undefined && { query }) });
}

async function podCounts(object: KubeObject, context: Context): Promise<PodCounts> {
  const labelSelector = describedSelector(at(object, "spec", "selector"));
  const pods = await listed(context, "v1", "Pod", namespaceIn(object), { labelSelector });
  const owned = pods.filter((pod) =>
    listAt(pod, "metadata", "ownerReferences").some(
      ({ controller, uid }) => controller === true && uid === object.metadata.uid,
    ),
  );
  const inPhase = (phase: string) => owned.filter((pod) => textAt(pod, "status", "phase") === phase).length;
  return {
    running: inPhase("Running"),
    waiting: inPhase("Pending"),
    succeeded: inPhase("Succeeded"),
    failed: inPhase("Failed"),
  };
}

async function describeNode(node: KubeObject, context: Context): Promise<Lines> {
  const { name } = node.metadata;
  const fieldSelector = `spec.nodeName=${name},status.phase!=Succeeded,status.phase!=Failed`;
  const pods = await listed(context, "v1", "Pod", "", { fieldSelector });
  return describedNodeLines(node, { lease: await leaseOf(context, name), pods, now: context.io.clock.now() });
}

async function leaseOf(context: Context, name: string): Promise<JsonObject | string> {
  try {
    return await context.server.get(`/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`);
  } catch (error) {
    return messageOf(error);
  }
}

function slicesOf(context: Context, service: string, namespace: string) {
  const labelSelector = `kubernetes.io/service-name=${service}`;
  return listed(context, "discovery.k8s.io/v1", "EndpointSlice", namespace, { labelSelector });
}

async function podsOfClaim(context: Context, claim: KubeObject): Promise<readonly string[]> {
  const pods = await listed(context, "v1", "Pod", namespaceIn(claim));
  const uses = (volume: JsonObject) =>
    textAt(volume, "persistentVolumeClaim", "claimName") === claim.metadata.name;
  return pods.filter((pod) => listAt(pod, "spec", "volumes").some(uses)).map(({ metadata }) => metadata.name);
}

async function describeIngress(ingress: KubeObject, context: Context): Promise<Lines> {
  const texts = new Map<string, string>();
  const namespace = namespaceIn(ingress);
  const backends = [
    at(ingress, "spec", "defaultBackend"),
    ...listAt(ingress, "spec", "rules").flatMap((rule) =>
      listAt(rule, "http", "paths").map((path) => at(path, "backend")),
    ),
  ];
  for (const backend of backends)
    if (backend !== undefined)
      texts.set(serviceBackendText(backend), await backendText(context, backend, namespace));
  return ingressLines(ingress, (backend) => texts.get(serviceBackendText(backend)) ?? "");
}

async function backendText(context: Context, backend: Json, namespace: string): Promise<string> {
  const resource = at(backend, "resource");
  if (resource !== undefined)
    return `APIGroup: ${textAt(resource, "apiGroup") || "<none>"}, Kind: ${textAt(resource, "kind")}, Name: ${textAt(resource, "name")}`;
  const name = textAt(backend, "service", "name");
  const text = serviceBackendText(backend);
  try {
    const services = (await context.server.resources()).find(
      ({ plural, group }) => plural === "services" && group === "",
    );
    if (services === undefined) return text;
    const service = await context.server.get(resourcePath(services, { namespace, name }));
    const { name: portName, number } = mapAt(backend, "service", "port");
    const port = listAt(service, "spec", "ports").find(
      (each) => each["name"] === portName || textAt(each, "port") === String(number),
    );
    return `${text} (${endpointsText(await slicesOf(context, name, namespace), textAt(port, "name"))})`;
  } catch (error) {
    return `${text} (<error: ${messageOf(error)}>)`;
  }
}
