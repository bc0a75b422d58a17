/**
 * How a text is anonymised: `name`: replaced by a code, the same for the same text, in the same order; `uid`: likewise by
 * another UID; `image`: its parts by codes; `labels`: the values of a map, and `value`: a value whose key is beside it, by
 * codes unless the key is well-known; `names`: the keys of a map by codes; `annotations`: only what names something;
 * `condition`: the type of a condition by a code unless it is one plain word, since those of readiness gates may have the
 * name of a Service in them; `kept`: not at all.
 */
export type Treatment =
  | "name"
  | "uid"
  | "image"
  | "labels"
  | "value"
  | "names"
  | "annotations"
  | "address"
  | "condition"
  | "kept";

const condition = { type: "condition", status: "kept", reason: "kept" } as const;

/** The treatment of every text that a snapshot may have, by type and field; types without texts are not listed. */
export const anonymisedFields: Readonly<Record<string, Readonly<Record<string, Treatment>>>> = {
  "meta.v1.ObjectMeta": {
    name: "name",
    namespace: "name",
    uid: "uid",
    resourceVersion: "kept",
    labels: "labels",
    annotations: "annotations",
  },
  "meta.v1.OwnerReference": { apiVersion: "kept", kind: "kept", name: "name", uid: "uid" },
  "meta.v1.LabelSelector": { matchLabels: "labels" },
  "meta.v1.LabelSelectorRequirement": { key: "kept", operator: "kept", values: "value" },
  "meta.v1.Condition": condition,
  "core.v1.NamespaceSpec": { finalizers: "kept" },
  "core.v1.NamespaceStatus": { phase: "kept" },
  "core.v1.Taint": { key: "kept", value: "value", effect: "kept" },
  "core.v1.NodeCondition": condition,
  "core.v1.ContainerImage": { names: "image" },
  "core.v1.PodSpec": {
    restartPolicy: "kept",
    nodeSelector: "labels",
    nodeName: "name",
    schedulerName: "name",
    priorityClassName: "name",
    preemptionPolicy: "kept",
  },
  "core.v1.Container": { name: "name", image: "image", restartPolicy: "kept" },
  "core.v1.ContainerPort": { protocol: "kept", hostIP: "address" },
  "core.v1.PodReadinessGate": { conditionType: "condition" },
  "core.v1.PodSchedulingGate": { name: "kept" },
  "core.v1.Toleration": { key: "kept", operator: "kept", value: "value", effect: "kept" },
  "core.v1.TopologySpreadConstraint": {
    topologyKey: "kept",
    whenUnsatisfiable: "kept",
    nodeAffinityPolicy: "kept",
    nodeTaintsPolicy: "kept",
    matchLabelKeys: "kept",
  },
  "core.v1.NodeSelectorRequirement": { key: "kept", operator: "kept", values: "value" },
  "core.v1.PodAffinityTerm": {
    namespaces: "name",
    topologyKey: "kept",
    matchLabelKeys: "kept",
    mismatchLabelKeys: "kept",
  },
  "core.v1.PodStatus": { phase: "kept", reason: "kept", nominatedNodeName: "name", qosClass: "kept" },
  "core.v1.PodCondition": condition,
  "core.v1.ContainerStatus": { name: "name" },
  "core.v1.ContainerStateWaiting": { reason: "kept" },
  "core.v1.ContainerStateTerminated": { reason: "kept" },
  "apps.v1.DeploymentSpec": { podReplacementPolicy: "kept" },
  "apps.v1.DeploymentStrategy": { type: "kept" },
  "apps.v1.DeploymentCondition": condition,
  "apps.v1.HTTPPodPicker": { host: "name", scheme: "kept" },
  "apps.v1.GRPCPodPicker": { host: "name" },
  "apps.v1.ReplicaSetCondition": condition,
  "core.v1.ReplicationControllerSpec": { selector: "labels" },
  "core.v1.ReplicationControllerCondition": condition,
  "apps.v1.StatefulSetSpec": { serviceName: "name", podManagementPolicy: "kept" },
  "apps.v1.StatefulSetUpdateStrategy": { type: "kept" },
  "apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy": { whenDeleted: "kept", whenScaled: "kept" },
  "apps.v1.StatefulSetStatus": { currentRevision: "name", updateRevision: "name" },
  "apps.v1.DaemonSetUpdateStrategy": { type: "kept" },
  "core.v1.ServiceSpec": { selector: "labels", type: "kept" },
  "policy.v1.PodDisruptionBudgetSpec": { unhealthyPodEvictionPolicy: "kept" },
  "policy.v1.PodDisruptionBudgetStatus": { disruptedPods: "names" },
  "scheduling.v1.PriorityClass": { preemptionPolicy: "kept" },
};

/** Names that mean something to every cluster, and that nothing is ordered by. */
export function isWellKnownName(name: string): boolean {
  return wellKnownNames.has(name);
}

const wellKnownNames: ReadonlySet<string> = new Set([
  "",
  "default-scheduler",
  "system-cluster-critical",
  "system-node-critical",
]);

/** Labels and taints whose values Kubernetes, KWOK or Trimtab define. */
const wellKnownKeys: readonly RegExp[] = [
  /^(beta\.)?kubernetes\.io\/(os|arch)$/,
  /^kubernetes\.io\/prefer-for-scale-down$/,
  /^node\.kubernetes\.io\/(?!instance-type$)/,
  /^node-role\.kubernetes\.io\//,
  /(^|\.)trimtab\.dev\//,
  /\.kwok\.x-k8s\.io(\/|$)/,
];

/** Whether a value stays as it is: of a well-known key, or one that says nothing about its owner. */
export function isWellKnownValue(key: string, value: string): boolean {
  return ["", "true", "false"].includes(value) || wellKnownKeys.some((pattern) => pattern.test(key));
}

/** Tags that mean something: what an image without a tag has, and those that simulated kubelets cannot pull. */
const keptTags: ReadonlySet<string> = new Set(["latest", "404", "nonexistent"]);

/**
 * An image with its name, tag and digest replaced. Images that are the same stay the same, with or without a tag; one
 * from a registry under `.invalid` stays one.
 */
export function mapImage(image: string, replace: (text: string) => string): string {
  if (image === "") return "";
  const [reference = "", digest] = image.split("@", 2);
  const colon = reference.lastIndexOf(":");
  const hasTag = colon > reference.lastIndexOf("/");
  const [name, tag] = hasTag
    ? [reference.slice(0, colon), reference.slice(colon + 1)]
    : [reference, undefined];
  const host = name.split("/")[0] ?? "";
  return [
    host.endsWith(".invalid") && name.includes("/") ? "registry.invalid/" : "",
    replace(name),
    tag === undefined ? "" : `:${keptTags.has(tag) ? tag : replace(tag)}`,
    digest === undefined ? "" : `@sha256:${replace(digest)}`,
  ].join("");
}
