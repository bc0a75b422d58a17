import type { Labels } from "./labels/label-selector.ts";

/** The label of a node that names its zone. */
export const zoneLabel = "topology.kubernetes.io/zone";

/** The label that older clusters have in its place. */
export const formerZoneLabel = "failure-domain.beta.kubernetes.io/zone";

/** The label of a node that names its region. */
export const regionLabel = "topology.kubernetes.io/region";

/** The label that older clusters have in its place. */
export const formerRegionLabel = "failure-domain.beta.kubernetes.io/region";

/** The label of a node that names its host. */
export const hostnameLabel = "kubernetes.io/hostname";

/** The labels of a node that name its processor architecture and its operating system. */
export const archLabel = "kubernetes.io/arch";
export const osLabel = "kubernetes.io/os";

/** The labels that older clusters have in their place. */
export const formerArchLabel = "beta.kubernetes.io/arch";
export const formerOsLabel = "beta.kubernetes.io/os";

/** The label of a namespace that has its name. */
export const namespaceNameLabel = "kubernetes.io/metadata.name";

/** The label of an EndpointSlice that names its Service. */
export const serviceNameLabel = "kubernetes.io/service-name";

/** The key of the taints of a node that reports that it is not ready. */
export const notReadyTaint = "node.kubernetes.io/not-ready";

/** The key of the taints of a node that reports nothing. */
export const unreachableTaint = "node.kubernetes.io/unreachable";

/** The key of the taint of a node that is cordoned. */
export const unschedulableTaint = "node.kubernetes.io/unschedulable";

/** The annotation of a simulated Service that names the real endpoint of the picker behind it: `127.0.0.1:PORT`. */
export const endpointAnnotation = "sim.trimtab.dev/endpoint";

/** The annotation of a simulated node that silences its kubelet, as a power cut does. */
export const unreachableAnnotation = "sim.trimtab.dev/unreachable";

/** The annotation of a Pod template by which `kubectl rollout restart` makes a new revision. */
export const restartedAtAnnotation = "kubectl.kubernetes.io/restartedAt";

/** The annotation with the configuration that client-side apply applied last. */
export const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/** The label of a node whose value is a role of it. */
export const roleLabel = "kubernetes.io/role";

/** The type of Secrets with a token of a ServiceAccount. */
export const accountTokenType = "kubernetes.io/service-account-token";

/** Returns the zone of a node by its metadata; `undefined` when its labels name none. */
export function zoneOf({ labels }: { readonly labels?: Labels | undefined }): string | undefined {
  return [labels?.[zoneLabel], labels?.[formerZoneLabel]].find((zone) => zone !== undefined && zone !== "");
}
