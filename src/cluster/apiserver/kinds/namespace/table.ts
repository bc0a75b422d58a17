import type { Namespace } from "../../../../api/generated/core-v1.ts";
import { ageOf } from "../../tables/age.ts";
import { textOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";

export const namespaceTable: TableDescription<Namespace> = {
  columns: [nameColumn, column("Status", "Active, or Terminating."), ageColumn],
  cells: (namespace, now) => [
    namespace.metadata.name,
    textOf(namespace.status?.phase),
    ageOf(namespace, now),
  ],
};
