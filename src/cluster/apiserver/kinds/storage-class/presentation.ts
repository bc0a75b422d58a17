import type { StorageClass } from "../../../../api/generated/storage-v1.ts";
import { defaultClassAnnotation } from "../../../../api/volume-names.ts";
import { ageOf, orUnset, textOrEmpty } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const storageClassTable: TableDescription<Unchecked<StorageClass>> = {
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
    const isDefault = metadata.annotations?.[defaultClassAnnotation] === "true";
    return [
      isDefault ? `${metadata.name} (default)` : metadata.name,
      textOrEmpty(provisioner),
      reclaimPolicy ?? "Delete",
      orUnset(volumeBindingMode),
      allowVolumeExpansion ?? false,
      ageOf(storageClass, now),
    ];
  },
};

export const storageClassPresentation: KindPresentation = {
  table: storageClassTable,
  descriptions: {
    "storage.v1.StorageClass": {
      about: "A class of storage that claims can request: who makes volumes, when, and what becomes of them.",
    },
  },
};
