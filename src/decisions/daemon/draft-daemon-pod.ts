import type { DaemonSet } from "../../api/generated/apps-v1.ts";
import type { Affinity, Pod, PodSpec } from "../../api/generated/core-v1.ts";
import { generateNameProblems, dns1123SubdomainProblems } from "../../api/names.ts";
import type { Draft } from "../../api/object.ts";
import { controllerReference } from "../../api/owner-references.ts";
import { daemonSets } from "../../api/resources.ts";
import { podRevisionLabel } from "../revisions/draft-revision.ts";
import { daemonTolerations } from "./daemon-tolerations.ts";

/** Makes the drafts of a DaemonSet's Pods at one revision; they differ in their node only. */
export function daemonPodDrafts(daemonSet: DaemonSet, hash: string): (nodeName: string) => Draft<Pod> {
  const { metadata, spec } = daemonSet.spec?.template ?? {};
  const { labels, annotations, finalizers } = metadata ?? {};
  const { namespace, name } = daemonSet.metadata;
  const draftMetadata = {
    generateName: namePrefix(name),
    ...(namespace !== undefined && { namespace }),
    labels: { ...labels, [podRevisionLabel]: hash },
    ...(annotations !== undefined && { annotations }),
    ...(finalizers !== undefined && { finalizers }),
    ownerReferences: [controllerReference(daemonSets, daemonSet)],
  };
  const podSpec: PodSpec = { containers: [], ...spec, tolerations: daemonTolerations(spec ?? {}) };
  return (nodeName) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: draftMetadata,
    spec: { ...podSpec, affinity: onlyOnNode(podSpec.affinity, nodeName) },
  });
}

/** The scheduler binds the Pod: what the template requires of nodes has been checked for this one. */
// upstream: ReplaceDaemonSetPodNodeNameNodeAffinity
function onlyOnNode(affinity: Affinity | undefined, nodeName: string): Affinity {
  const onName = { key: "metadata.name", operator: "In", values: [nodeName] };
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [onName] }] },
    },
  };
}

/** Appends a dash to the name, unless the name is too long for it. */
function namePrefix(name: string): string {
  const dashed = `${name}-`;
  return generateNameProblems(dashed, dns1123SubdomainProblems).length === 0 ? dashed : name;
}
