import type { Pod } from "../../../api/generated/core-v1.ts";
import { claimsOfPod } from "../../volumes/pod-claims.ts";
import { type QueueingHints, queueingHints } from "../cluster-event.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { textsOf } from "../objects/reading.ts";
import { type Plugin, unresolvable } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import type { ClusterView, VolumeLookups } from "../view/cluster-view.ts";
import { isOwnClaim } from "../volume-binding/plugin.ts";

const inUse = unresolvable(
  "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod",
);

/** Rejects a Pod whose claim admits a single Pod while another one with a node uses it. */
export const volumeRestrictions: Plugin = {
  name: "VolumeRestrictions",

  preFilter(pod, cluster) {
    const { volumes } = cluster;
    const exclusive = volumes === undefined ? [] : exclusiveClaims(pod, volumes);
    if (exclusive.length === 0 || !isInUse(pod, exclusive, cluster)) return undefined;
    return { filter: () => inUse };
  },
};

/** The claims of a Pod that admit a single Pod, by name. */
function exclusiveClaims({ pod, namespace }: PodInfo, { claim }: VolumeLookups): readonly string[] {
  return claimsOfPod(pod)
    .map(({ name }) => name)
    .filter((name) => textsOf(claim(namespace, name)?.spec?.accessModes).includes("ReadWriteOncePod"));
}

function isInUse(pod: PodInfo, claims: readonly string[], { nodes }: ClusterView): boolean {
  const uses = (other: PodInfo): boolean =>
    other.namespace === pod.namespace &&
    other.pod.metadata.uid !== pod.pod.metadata.uid &&
    claimsOfPod(other.pod).some(({ name }) => claims.includes(name));
  return nodes.some(({ pods }) => pods.some(uses));
}

/** A Pod that leaves a claim which both name, or a claim that changes. */
const hints: QueueingHints = queueingHints(
  ["Pod/Delete", "PersistentVolumeClaim/Add", "PersistentVolumeClaim/Update"],
  (waiting, event) => {
    if (event.resource === "PersistentVolumeClaim") return isOwnClaim(waiting, event);
    return (
      event.resource === "AssignedPod" && event.before !== undefined && shareClaim(waiting, event.before)
    );
  },
);

function shareClaim({ pod, namespace }: PodInfo, other: Pod): boolean {
  const names = new Set(claimsOfPod(other).map(({ name }) => name));
  return other.metadata.namespace === namespace && claimsOfPod(pod).some(({ name }) => names.has(name));
}

export const volumeRestrictionsEntry = {
  name: "VolumeRestrictions",
  points: ["preFilter", "filter"],
  create: () => volumeRestrictions,
  hints: () => hints,
} as const satisfies PluginEntry;
