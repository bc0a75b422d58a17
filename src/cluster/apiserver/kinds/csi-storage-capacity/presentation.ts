import type { CSIStorageCapacity } from "../../../../api/generated/storage-v1.ts";
import { textOrEmpty, unset } from "../../tables/cell-text.ts";
import { column, nameColumn, type TableDescription, type Unchecked } from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const csiStorageCapacityTable: TableDescription<Unchecked<CSIStorageCapacity>> = {
  columns: [
    nameColumn,
    column("StorageClassName", "The StorageClass that the capacity is of."),
    column("Capacity", "How much there is."),
  ],
  cells: ({ metadata, storageClassName, capacity }) => [
    metadata.name,
    textOrEmpty(storageClassName),
    capacity === undefined ? unset : String(capacity),
  ],
};

export const csiStorageCapacityPresentation: KindPresentation = {
  table: csiStorageCapacityTable,
  descriptions: {
    "storage.v1.CSIStorageCapacity": {
      about: "The storage capacity that is left in a part of the cluster. Stored here, not run.",
    },
  },
};
