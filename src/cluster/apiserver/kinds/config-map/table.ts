import type { ConfigMap } from "../../../../api/generated/core-v1.ts";
import { ageOf } from "../../tables/age.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";

export const configMapTable: TableDescription<ConfigMap> = {
  columns: [nameColumn, column("Data", "How many entries there are.", "integer"), ageColumn],
  cells: (configMap, now) => [
    configMap.metadata.name,
    Object.keys({ ...configMap.data, ...configMap.binaryData }).length,
    ageOf(configMap, now),
  ],
};
