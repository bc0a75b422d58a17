import type { ConfigMap } from "../../../../api/generated/core-v1.ts";
import { ageOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const configMapTable: TableDescription<ConfigMap> = {
  columns: [nameColumn, column("Data", "The number of entries.", "integer"), ageColumn],
  cells: (configMap, now) => [
    configMap.metadata.name,
    Object.keys({ ...configMap.data, ...configMap.binaryData }).length,
    ageOf(configMap, now),
  ],
};

const configMapDescriptions: TypeDescriptions = {
  "core.v1.ConfigMap": {
    about: "Configuration as keys and values.",
    fields: {
      data: "Entries that are UTF-8 text.",
      binaryData: "Entries that are binary, as base64.",
      immutable: "Whether the data can no longer be changed.",
    },
  },
};

export const configMapPresentation: KindPresentation = {
  table: configMapTable,
  descriptions: configMapDescriptions,
};
