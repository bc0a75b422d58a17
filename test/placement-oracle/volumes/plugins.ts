import type {
  NodeSelectorRequirement,
  PersistentVolume,
  PersistentVolumeClaim,
} from "../../../src/api/generated/core-v1.ts";
import { describeVolumePlace } from "../../../src/decisions/placement/volume-binding/describe-volume.ts";
import { fits, type Plugin, unresolvable } from "../plugin.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

// The claims of the random clusters are simple, and so is this: sizes are whole Gi, affinities name zones.

const zone = "topology.kubernetes.io/zone";

function claimNamesOf({ pod }: PodInfo): readonly string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
}

function claimsOf(pod: PodInfo, { claims }: Snapshot) {
  return claimNamesOf(pod).map((name) => ({
    name,
    claim: claims.find(
      ({ metadata }) => metadata.name === name && metadata.namespace === pod.pod.metadata.namespace,
    ),
  }));
}

const sizeOf = (text: unknown) => Number(String(text).replace("Gi", ""));
const wanted = ({ spec }: PersistentVolumeClaim) => sizeOf(spec.resources?.requests?.["storage"]);
const offered = ({ spec }: PersistentVolume) => sizeOf(spec.capacity?.["storage"]);
const selectedNode = ({ metadata }: PersistentVolumeClaim) =>
  metadata.annotations?.["volume.kubernetes.io/selected-node"];

const inUse = unresolvable(
  "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod",
);

/** A Pod whose claim admits one Pod, and that another one has. */
export const volumeRestrictions: Plugin = {
  name: "VolumeRestrictions",
  preFilter(pod, snapshot) {
    const others = snapshot.nodes
      .flatMap(({ pods }) => pods)
      .filter((other) => other.pod.metadata.uid !== pod.pod.metadata.uid)
      .filter((other) => other.pod.metadata.namespace === pod.pod.metadata.namespace);
    for (const { name, claim } of claimsOf(pod, snapshot)) {
      if (claim?.spec.accessModes?.includes("ReadWriteOncePod") !== true) continue;
      if (others.some((other) => claimNamesOf(other).includes(name))) return { filter: () => inUse };
    }
    return undefined;
  },
};

/** Volumes that a node does not reach, and claims that cannot get one there. */
export const volumeBinding: Plugin = {
  name: "VolumeBinding",
  preFilter(pod, snapshot) {
    const bound: { claim: PersistentVolumeClaim; volume: PersistentVolume | undefined }[] = [];
    const delayed: PersistentVolumeClaim[] = [];
    let hasImmediate = false;
    for (const { name, claim } of claimsOf(pod, snapshot)) {
      if (claim === undefined) return refuse(`persistentvolumeclaim "${name}" not found`);
      if (claim.metadata.deletionTimestamp !== undefined)
        return refuse(`persistentvolumeclaim "${name}" is being deleted`);
      const named = claim.spec.volumeName ?? "";
      const volume = snapshot.volumes.find(({ metadata }) => metadata.name === named);
      if (claim.status?.phase === "Bound") bound.push({ claim, volume });
      else if (claim.spec.storageClassName === "late") delayed.push(claim);
      else hasImmediate = true;
    }
    if (hasImmediate) return refuse("pod has unbound immediate PersistentVolumeClaims");
    if (bound.length + delayed.length === 0) return undefined;
    return {
      filter(node) {
        for (const { claim, volume } of bound) {
          if (volume === undefined)
            return unresolvable("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
          if (!reaches(node, volume))
            return unresolvable(
              "node(s) didn't match PersistentVolume's node affinity",
              describeVolumePlace(volume, claim),
            );
        }
        return canServe(node, delayed, snapshot)
          ? fits
          : unresolvable("node(s) didn't find available persistent volumes to bind");
      },
    };
  },
};

function refuse(reason: string) {
  return { refusal: unresolvable(reason) };
}

function reaches(node: NodeInfo, { spec }: PersistentVolume): boolean {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms;
  if (terms === undefined) return true;
  const holds = ({ key, values = [] }: NodeSelectorRequirement) =>
    values.includes(node.labels?.[key] ?? "none");
  return terms.some(({ matchExpressions = [] }) => matchExpressions.every(holds));
}

/** The class `late` makes volumes in the zones z1 and z2 only. */
function canServe(node: NodeInfo, delayed: readonly PersistentVolumeClaim[], { volumes }: Snapshot): boolean {
  const taken = new Set<PersistentVolume>();
  for (const claim of [...delayed].sort((a, b) => wanted(a) - wanted(b))) {
    const selected = selectedNode(claim);
    if (selected !== undefined && selected !== node.name) return false;
    const [found] = volumes
      .filter(
        (volume) =>
          selected === undefined &&
          !taken.has(volume) &&
          volume.spec.claimRef === undefined &&
          volume.status?.phase === "Available" &&
          volume.spec.storageClassName === "late" &&
          offered(volume) >= wanted(claim) &&
          (claim.spec.accessModes ?? []).every((mode) => volume.spec.accessModes?.includes(mode) === true) &&
          reaches(node, volume),
      )
      .sort(
        (a, b) =>
          (a.spec.accessModes?.length ?? 0) - (b.spec.accessModes?.length ?? 0) ||
          offered(a) - offered(b) ||
          (a.metadata.name < b.metadata.name ? -1 : 1),
      );
    if (found !== undefined) taken.add(found);
    else if (!["z1", "z2"].includes(node.labels?.[zone] ?? "")) return false;
  }
  return true;
}

/** Labels of volumes that name a zone. */
export const volumeZone: Plugin = {
  name: "VolumeZone",
  preFilter(pod, snapshot) {
    const labelled = claimsOf(pod, snapshot).flatMap(({ claim }) =>
      claim?.status?.phase === "Bound"
        ? snapshot.volumes.filter(
            ({ metadata }) =>
              metadata.name === claim.spec.volumeName && metadata.labels?.[zone] !== undefined,
          )
        : [],
    );
    if (labelled.length === 0) return undefined;
    return {
      filter(node) {
        const has = node.labels?.[zone];
        for (const { metadata } of labelled) {
          const zones = (metadata.labels?.[zone] ?? "").split("__");
          if (has !== undefined && !zones.includes(has))
            return unresolvable(
              "node(s) had no available volume zone",
              `volume ${metadata.name} is in ${zone} ${zones.join(", ")}`,
            );
        }
        return fits;
      },
    };
  },
};
