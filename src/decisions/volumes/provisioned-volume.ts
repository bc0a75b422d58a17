import type { Node, PersistentVolume, PersistentVolumeClaim } from "../../api/generated/core-v1.ts";
import type { StorageClass } from "../../api/generated/storage-v1.ts";
import type { Draft } from "../../api/object.ts";
import { provisionedByAnnotation, provisionerProtection } from "../../api/volume-names.ts";
import { zoneLabel, zoneOf } from "../../api/well-known.ts";
import { stringOf, textsOf } from "../placement/objects/reading.ts";
import { allowsTopology } from "./storage-class.ts";

/** What a volume is provisioned for. */
export interface Provisioning {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  readonly nodes: readonly Node[];
  /** The node that the scheduler chose for the first Pod of the claim. */
  readonly selectedNode?: Node | undefined;
}

/** The name of the volume that is made for a claim: by its UID, so that no claim ever gets two. */
export function provisionedVolumeName({ metadata }: PersistentVolumeClaim): string {
  return `pvc-${metadata.uid}`;
}

/** The volume that is made for a claim: as large as the claim asks for, and in the zone of its Pod. */
export function provisionedVolume(provisioning: Provisioning): Draft<PersistentVolume> {
  const { claim, storageClass } = provisioning;
  const { provisioner, reclaimPolicy = "Delete", mountOptions } = storageClass;
  const { accessModes, resources, volumeMode = "Filesystem" } = claim.spec;
  const name = provisionedVolumeName(claim);
  const zone = zoneFor(provisioning);
  return {
    metadata: {
      name,
      annotations: { [provisionedByAnnotation]: provisioner },
      ...(reclaimPolicy === "Delete" && { finalizers: [provisionerProtection] }),
    },
    spec: {
      capacity: { storage: resources?.requests?.["storage"] ?? "0" },
      accessModes: textsOf(accessModes),
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClass.metadata.name,
      volumeMode,
      claimRef: referenceToClaim(claim),
      csi: { driver: provisioner, volumeHandle: name },
      ...(mountOptions !== undefined && { mountOptions }),
      ...(zone !== undefined && { nodeAffinity: inZone(zone) }),
    },
  };
}

/** How a volume names the claim that has it. */
export function referenceToClaim({ metadata }: PersistentVolumeClaim) {
  const { namespace = "", name, uid } = metadata;
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid };
}

function inZone(zone: string): NonNullable<PersistentVolume["spec"]["nodeAffinity"]> {
  const matchExpressions = [{ key: zoneLabel, operator: "In", values: [zone] }];
  return { required: { nodeSelectorTerms: [{ matchExpressions }] } };
}

/** The zone of a new volume; `undefined` where nodes have none. */
function zoneFor({ claim, storageClass, nodes, selectedNode }: Provisioning): string | undefined {
  if (selectedNode !== undefined) return zoneOf(selectedNode.metadata);
  const allowed = nodes.filter(({ metadata }) => allowsTopology(storageClass, metadata.labels));
  const zones = new Set(allowed.flatMap(({ metadata }) => zoneOf(metadata) ?? []));
  const sorted = [...zones].sort();
  return sorted[placeInSpread(stringOf(claim.metadata.name)) % Math.max(sorted.length, 1)];
}

/** A number that grows by one with every ordinal, so that the volumes of a set are distributed evenly among zones. */
function placeInSpread(name: string): number {
  const [, set = name, ordinal = "0"] = /^(.+)-([0-9]{1,9})$/.exec(name) ?? [];
  // The template comes before the set in the name: the claims of one Pod are in one zone.
  return hashOf(set.slice(set.lastIndexOf("-") + 1)) + Number(ordinal);
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
