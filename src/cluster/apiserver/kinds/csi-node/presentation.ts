import type { CSINode } from "../../../../api/generated/storage-v1.ts";
import { ageOf } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const csiNodeTable: TableDescription<Unchecked<CSINode>> = {
  columns: [nameColumn, column("Drivers", "How many drivers the node has.", "integer"), ageColumn],
  cells: (node, now) => [node.metadata.name, (node.spec?.drivers ?? []).length, ageOf(node, now)],
};

export const csiNodePresentation: KindPresentation = {
  table: csiNodeTable,
  descriptions: {
    "storage.v1.CSINode": {
      about: "The storage drivers of a node. Stored here, not run.",
    },
  },
};
