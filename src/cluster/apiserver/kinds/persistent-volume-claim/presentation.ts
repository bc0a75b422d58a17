import type { PersistentVolumeClaim } from "../../../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../../../api/object.ts";
import { formerClassAnnotation } from "../../../../api/volume-names.ts";
import { ageOf, orUnset, textOrEmpty } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  wideColumn,
} from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const persistentVolumeClaimTable: TableDescription<PersistentVolumeClaim> = {
  columns: [
    nameColumn,
    column("Status", "Whether the claim has a volume."),
    column("Volume", "The volume of the claim."),
    column("Capacity", "The size of the volume."),
    column("Access Modes", "How the volume can be used."),
    column("StorageClass", "The StorageClass that provides the volume."),
    column("VolumeAttributesClass", "The VolumeAttributesClass of the volume."),
    ageColumn,
    wideColumn("VolumeMode", "Whether the volume is a file system or a block device."),
  ],

  cells(claim, now) {
    const { metadata, spec, status } = claim;
    return [
      metadata.name,
      isBeingDeleted(claim) ? "Terminating" : textOrEmpty(status?.phase),
      textOrEmpty(spec.volumeName),
      ...volumeCells(claim),
      metadata.annotations?.[formerClassAnnotation] ?? textOrEmpty(spec.storageClassName),
      orUnset(spec.volumeAttributesClassName),
      ageOf(claim, now),
      orUnset(spec.volumeMode),
    ];
  },
};

/** Returns capacity and access modes, once there is a volume. */
function volumeCells({ spec, status }: PersistentVolumeClaim): readonly [string, string] {
  if (textOrEmpty(spec.volumeName) === "") return ["", ""];
  return [String(status?.capacity?.["storage"] ?? 0), modesText(status?.accessModes ?? [])];
}

const abbreviations = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
] as const;

/** Abbreviates access modes: `RWO,ROX`. */
export function modesText(modes: readonly string[]): string {
  return abbreviations.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(",");
}

const persistentVolumeClaimDescriptions: TypeDescriptions = {
  "core.v1.PersistentVolumeClaim": {
    about: "Requests a volume, which is bound to it.",
  },
  "core.v1.PersistentVolumeClaimSpec": {
    fields: {
      accessModes: "How the volume is to be used.",
      resources: "How large it has to be.",
      storageClassName: "The StorageClass that is to provide it.",
      volumeName: "The volume of the claim.",
      volumeMode: "Filesystem or Block.",
    },
  },
};

export const persistentVolumeClaimPresentation: KindPresentation = {
  table: persistentVolumeClaimTable,
  descriptions: persistentVolumeClaimDescriptions,
};
