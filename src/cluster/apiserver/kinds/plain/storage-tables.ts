import type { ObjectReference, PersistentVolume } from "../../../../api/generated/core-v1.ts";
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from "../../../../api/generated/storage-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { isBeingDeleted } from "../../../../api/object.ts";
import { ageOf, none, orUnset, textOf, unset } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
  wideColumn,
} from "../../tables/table-description.ts";
import { modesText } from "../persistent-volume-claim/presentation.ts";

function claimText(claim: Sent<ObjectReference> | undefined): string {
  return claim === undefined ? "" : `${textOf(claim.namespace)}/${textOf(claim.name)}`;
}

export const persistentVolumeTable: TableDescription<Unchecked<PersistentVolume>> = {
  columns: [
    nameColumn,
    column("Capacity", "The size of the volume."),
    column("Access Modes", "How the volume can be used."),
    column("Reclaim Policy", "What happens to the volume when its claim is gone."),
    column("Status", "Whether a claim has the volume."),
    column("Claim", "The claim that has the volume."),
    column("StorageClass", "The StorageClass of the volume."),
    column("VolumeAttributesClass", "The VolumeAttributesClass of the volume."),
    column("Reason", "Why the volume is in its status."),
    ageColumn,
    wideColumn("VolumeMode", "Whether the volume is a file system or a block device."),
  ],

  cells(volume, now) {
    const { metadata, spec = {}, status = {} } = volume;
    return [
      metadata.name,
      String(spec.capacity?.["storage"] ?? 0),
      modesText(spec.accessModes ?? []),
      textOf(spec.persistentVolumeReclaimPolicy),
      isBeingDeleted(volume) ? "Terminating" : textOf(status.phase),
      claimText(spec.claimRef),
      textOf(spec.storageClassName),
      orUnset(spec.volumeAttributesClassName),
      textOf(status.reason),
      ageOf(volume, now),
      orUnset(spec.volumeMode),
    ];
  },
};

export const storageClassTable: TableDescription<Unchecked<StorageClass>> = {
  columns: [
    nameColumn,
    column("Provisioner", "Who makes the volumes."),
    column("ReclaimPolicy", "What happens to volumes when their claims are gone."),
    column("VolumeBindingMode", "When a claim gets its volume."),
    column("AllowVolumeExpansion", "Whether volumes can grow.", "boolean"),
    ageColumn,
  ],
  cells(storageClass, now) {
    const { metadata, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion } = storageClass;
    const isDefault = metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true";
    return [
      isDefault ? `${metadata.name} (default)` : metadata.name,
      textOf(provisioner),
      reclaimPolicy ?? "Delete",
      orUnset(volumeBindingMode),
      allowVolumeExpansion ?? false,
      ageOf(storageClass, now),
    ];
  },
};

export const csiDriverTable: TableDescription<Unchecked<CSIDriver>> = {
  columns: [
    nameColumn,
    column("AttachRequired", "Whether volumes have to be attached.", "boolean"),
    column("PodInfoOnMount", "Whether the driver gets to know the Pod.", "boolean"),
    column("StorageCapacity", "Whether the driver reports its capacity.", "boolean"),
    column("TokenRequests", "The audiences of the tokens that the driver gets."),
    column("RequiresRepublish", "Whether volumes are published again and again.", "boolean"),
    column("Modes", "The kinds of volumes that the driver has."),
    ageColumn,
  ],
  cells(driver, now) {
    const { spec = {} } = driver;
    const audiences = (spec.tokenRequests ?? []).map(({ audience }) => textOf(audience)).join(",");
    return [
      driver.metadata.name,
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      audiences || unset,
      spec.requiresRepublish ?? false,
      (spec.volumeLifecycleModes ?? []).join(",") || none,
      ageOf(driver, now),
    ];
  },
};

export const csiNodeTable: TableDescription<Unchecked<CSINode>> = {
  columns: [nameColumn, column("Drivers", "How many drivers the node has.", "integer"), ageColumn],
  cells: (node, now) => [node.metadata.name, (node.spec?.drivers ?? []).length, ageOf(node, now)],
};

export const csiStorageCapacityTable: TableDescription<Unchecked<CSIStorageCapacity>> = {
  columns: [
    nameColumn,
    column("StorageClassName", "The StorageClass that the capacity is of."),
    column("Capacity", "How much there is."),
  ],
  cells: ({ metadata, storageClassName, capacity }) => [
    metadata.name,
    textOf(storageClassName),
    capacity === undefined ? unset : String(capacity),
  ],
};

export const volumeAttachmentTable: TableDescription<Unchecked<VolumeAttachment>> = {
  columns: [
    nameColumn,
    column("Attacher", "Who attaches the volume."),
    column("PV", "The volume."),
    column("Node", "The node."),
    column("Attached", "Whether it is attached.", "boolean"),
    ageColumn,
  ],
  cells: (attachment, now) => [
    attachment.metadata.name,
    textOf(attachment.spec?.attacher),
    textOf(attachment.spec?.source?.persistentVolumeName),
    textOf(attachment.spec?.nodeName),
    attachment.status?.attached ?? false,
    ageOf(attachment, now),
  ],
};

export const volumeAttributesClassTable: TableDescription<Unchecked<VolumeAttributesClass>> = {
  columns: [nameColumn, column("DriverName", "The driver of the volumes."), ageColumn],
  cells: (attributes, now) => [
    attributes.metadata.name,
    textOf(attributes.driverName),
    ageOf(attributes, now),
  ],
};
