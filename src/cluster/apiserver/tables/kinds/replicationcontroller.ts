import type { ReplicationController } from "../../../../api/generated/core-v1.ts";
import { labelMapText } from "../cell-text.ts";
import type { TableDescription } from "../table-description.ts";
import { countCells, replicaSetTable } from "./replicaset.ts";
import { containerCells } from "./template-cells.ts";

export const replicationControllerTable: TableDescription<ReplicationController> = {
  columns: replicaSetTable.columns,
  cells: (controller, now) => [
    ...countCells(controller, now),
    ...containerCells(controller.spec.template),
    labelMapText(controller.spec.selector),
  ],
};
