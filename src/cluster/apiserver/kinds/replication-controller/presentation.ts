import type { ReplicationController } from "../../../../api/generated/core-v1.ts";
import { labelMapText } from "../../tables/cell-text.ts";
import type { TableDescription } from "../../tables/table-description.ts";
import { containerCells } from "../../tables/template-columns.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";
import { countCells, replicaColumns } from "../replica-set/presentation.ts";

const replicationControllerTable: TableDescription<ReplicationController> = {
  columns: replicaColumns,
  cells: (controller, now) => [
    ...countCells(controller, now),
    ...containerCells(controller.spec.template),
    labelMapText(controller.spec.selector),
  ],
};

const replicationControllerDescriptions: TypeDescriptions = {
  "core.v1.ReplicationController": {
    about: "The predecessor of the ReplicaSet.",
  },
  "core.v1.ReplicationControllerSpec": {
    fields: {
      replicas: "The desired number of Pods.",
      minReadySeconds: "How long a Pod must have been ready to count as available.",
      selector: "Which Pods belong to this controller, by exact labels.",
      template: "The template that new Pods are created from.",
    },
  },
};

export const replicationControllerPresentation: KindPresentation = {
  table: replicationControllerTable,
  descriptions: replicationControllerDescriptions,
};
