import type { ObjectReference, PersistentVolume } from "../../../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../../../api/object.ts";
import type { Sent } from "../../../../api/sent.ts";
import { ageOf, orUnset, textOrEmpty } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  wideColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";
import { modesText } from "../persistent-volume-claim/presentation.ts";

const persistentVolumeTable: TableDescription<Unchecked<PersistentVolume>> = {
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
      textOrEmpty(spec.persistentVolumeReclaimPolicy),
      isBeingDeleted(volume) ? "Terminating" : textOrEmpty(status.phase),
      claimText(spec.claimRef),
      textOrEmpty(spec.storageClassName),
      orUnset(spec.volumeAttributesClassName),
      textOrEmpty(status.reason),
      ageOf(volume, now),
      orUnset(spec.volumeMode),
    ];
  },
};

function claimText(claim: Sent<ObjectReference> | undefined): string {
  return claim === undefined ? "" : `${textOrEmpty(claim.namespace)}/${textOrEmpty(claim.name)}`;
}

export const persistentVolumePresentation: KindPresentation = {
  table: persistentVolumeTable,
  descriptions: {
    "core.v1.PersistentVolume": {
      about: "Storage that outlives Pods. Here it is simulated.",
    },
  },
};
