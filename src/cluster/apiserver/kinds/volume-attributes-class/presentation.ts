import type { VolumeAttributesClass } from "../../../../api/generated/storage-v1.ts";
import { ageOf, textOrEmpty } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const volumeAttributesClassTable: TableDescription<Unchecked<VolumeAttributesClass>> = {
  columns: [nameColumn, column("DriverName", "The driver of the volumes."), ageColumn],
  cells: (attributes, now) => [
    attributes.metadata.name,
    textOrEmpty(attributes.driverName),
    ageOf(attributes, now),
  ],
};

export const volumeAttributesClassPresentation: KindPresentation = {
  table: volumeAttributesClassTable,
  descriptions: {
    "storage.v1.VolumeAttributesClass": {
      about: "Attributes that a volume can be modified to have. Stored here, not run.",
    },
  },
};
