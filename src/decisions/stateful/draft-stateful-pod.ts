import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import type { Pod, Volume } from "../../api/generated/core-v1.ts";
import type { Draft } from "../../api/object.ts";
import { controllerReference } from "../../api/owner-references.ts";
import { statefulSets } from "../../api/resources.ts";
import { podRevisionLabel } from "../revisions/draft-revision.ts";
import { claimName, claimTemplatesOf } from "./claim.ts";
import { podIndexLabel, podNameLabel, statefulPodName } from "./ordinal.ts";
import type { PodRevision } from "./plan-revision.ts";

/** Drafts the Pod with an ordinal from a revision: its name, its hostname and its claims are those of the ordinal. */
export function draftStatefulPod(
  set: StatefulSet,
  ordinal: number,
  { name: revision, template }: PodRevision,
): Draft<Pod> {
  const { namespace } = set.metadata;
  const { labels, annotations, finalizers } = template?.metadata ?? {};
  const spec = template?.spec ?? { containers: [] };
  const name = statefulPodName(set, ordinal);
  const { serviceName } = set.spec;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      // The name is given, so the API server draws none; Pods of kube-controller-manager have it too.
      generateName: `${set.metadata.name}-`,
      ...(namespace !== undefined && { namespace }),
      labels: { ...labels, ...identityLabels(name, ordinal), [podRevisionLabel]: revision },
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ownerReferences: [controllerReference(statefulSets, set)],
    },
    spec: {
      ...spec,
      hostname: name,
      ...(serviceName !== undefined && serviceName !== "" && { subdomain: serviceName }),
      ...volumesOf(set, ordinal, spec.volumes),
    },
  };
}

function identityLabels(name: string, ordinal: number): Readonly<Record<string, string>> {
  return { [podNameLabel]: name, [podIndexLabel]: String(ordinal) };
}

/** One volume for each claim template, in their order, then the others of the Pod. */
function volumesOf(
  set: StatefulSet,
  ordinal: number,
  volumes: readonly Volume[] | undefined,
): { readonly volumes?: readonly Volume[] } {
  const claimed = claimTemplatesOf(set).map((template) => ({
    name: template.metadata.name,
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
  if (claimed.length === 0) return volumes === undefined ? {} : { volumes };
  const names = new Set(claimed.map(({ name }) => name));
  const others = Array.isArray(volumes) ? volumes.filter((volume: Volume) => !names.has(volume?.name)) : [];
  return { volumes: [...claimed, ...others] };
}

/** The Pod with the identity and the volumes of its ordinal; `undefined` if it has them. A missing index label is left. */
export function repairedPod(set: StatefulSet, ordinal: number, pod: Pod): Pod | undefined {
  const { name, labels } = pod.metadata;
  const hasName = labels?.[podNameLabel] === name;
  const hasClaims = hasClaimVolumes(set, ordinal, pod);
  if (hasName && hasClaims) return undefined;
  const metadata = hasName
    ? pod.metadata
    : { ...pod.metadata, labels: { ...labels, ...identityLabels(name, ordinal) } };
  if (hasClaims || pod.spec === undefined) return { ...pod, metadata };
  return { ...pod, metadata, spec: { ...pod.spec, ...volumesOf(set, ordinal, pod.spec.volumes) } };
}

function hasClaimVolumes(set: StatefulSet, ordinal: number, pod: Pod): boolean {
  const templates = claimTemplatesOf(set);
  if (templates.length === 0) return true;
  const list: unknown = pod.spec?.volumes;
  const volumes: readonly (Volume | null)[] = Array.isArray(list) ? list : [];
  return templates.every((template) => {
    const found = volumes.find((volume) => volume?.name === template.metadata.name);
    return found?.persistentVolumeClaim?.claimName === claimName(set, template, ordinal);
  });
}
