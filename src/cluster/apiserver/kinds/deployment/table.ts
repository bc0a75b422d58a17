import type { Deployment } from "../../../../api/generated/apps-v1.ts";
import { ageOf } from "../../tables/age.ts";
import { countOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import { templateCells, templateColumns } from "../../tables/template-columns.ts";

export const deploymentTable: TableDescription<Deployment> = {
  columns: [
    nameColumn,
    column("Ready", "Pods that are ready, of those that are wanted."),
    column("Up-to-date", "Pods that run the current template.", "integer"),
    column("Available", "Pods that have been ready for long enough.", "integer"),
    ageColumn,
    ...templateColumns,
  ],

  cells(deployment, now) {
    const { spec, status } = deployment;
    return [
      deployment.metadata.name,
      `${countOf(status?.readyReplicas)}/${spec.replicas ?? 1}`,
      countOf(status?.updatedReplicas),
      countOf(status?.availableReplicas),
      ageOf(deployment, now),
      ...templateCells(spec),
    ];
  },
};
