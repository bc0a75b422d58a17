import type { ReplicationController } from "../../../../api/generated/core-v1.ts";
import { labelMapText } from "../../tables/cell-text.ts";
import type { TableDescription } from "../../tables/table-description.ts";
import { countCells, replicaSetTable } from "../replica-set/table.ts";
import { containerCells } from "../../tables/template-columns.ts";

export const replicationControllerTable: TableDescription<ReplicationController> = {
  columns: replicaSetTable.columns,
  cells: (controller, now) => [
    ...countCells(controller, now),
    ...containerCells(controller.spec.template),
    labelMapText(controller.spec.selector),
  ],
};
