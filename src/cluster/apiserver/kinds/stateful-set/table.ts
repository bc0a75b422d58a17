import type { StatefulSet } from "../../../../api/generated/apps-v1.ts";
import { ageOf } from "../../tables/age.ts";
import { countOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import { containerCells, containerColumns } from "../../tables/template-columns.ts";

export const statefulSetTable: TableDescription<StatefulSet> = {
  columns: [
    nameColumn,
    column("Ready", "Pods that are ready, of those that are wanted."),
    ageColumn,
    ...containerColumns,
  ],

  cells: (statefulSet, now) => [
    statefulSet.metadata.name,
    `${countOf(statefulSet.status?.readyReplicas)}/${statefulSet.spec.replicas ?? 1}`,
    ageOf(statefulSet, now),
    ...containerCells(statefulSet.spec.template),
  ],
};
