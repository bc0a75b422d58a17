import type { CSIDriver } from "../../../../api/generated/storage-v1.ts";
import { ageOf, noneText, textOrEmpty, unset } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const csiDriverTable: TableDescription<Unchecked<CSIDriver>> = {
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
    const audiences = (spec.tokenRequests ?? []).map(({ audience }) => textOrEmpty(audience)).join(",");
    return [
      driver.metadata.name,
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      audiences || unset,
      spec.requiresRepublish ?? false,
      (spec.volumeLifecycleModes ?? []).join(",") || noneText,
      ageOf(driver, now),
    ];
  },
};

export const csiDriverPresentation: KindPresentation = {
  table: csiDriverTable,
  descriptions: {
    "storage.v1.CSIDriver": {
      about: "A storage driver. Stored here, not run.",
    },
  },
};
