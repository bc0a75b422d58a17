import type { StatefulSet } from "../../../../api/generated/apps-v1.ts";
import { ageOf, countOrZero } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import { containerCells, containerColumns } from "../../tables/template-columns.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const statefulSetTable: TableDescription<StatefulSet> = {
  columns: [
    nameColumn,
    column("Ready", "Pods that are ready, of the desired number."),
    ageColumn,
    ...containerColumns,
  ],

  cells: (statefulSet, now) => [
    statefulSet.metadata.name,
    `${countOrZero(statefulSet.status?.readyReplicas)}/${statefulSet.spec.replicas ?? 1}`,
    ageOf(statefulSet, now),
    ...containerCells(statefulSet.spec.template),
  ],
};

const statefulSetDescriptions: TypeDescriptions = {
  "apps.v1.StatefulSet": {
    about: "Keeps Pods with stable names and storage of their own running.",
  },
  "apps.v1.StatefulSetSpec": {
    fields: {
      replicas: "The desired number of Pods; 1 by default.",
      selector: "Which Pods belong to this set. Must match the template's labels.",
      template: "The template that the Pods are created from.",
      serviceName: "The headless Service that gives the Pods their names.",
      volumeClaimTemplates: "Claims that are created for each Pod.",
      podManagementPolicy: "Whether Pods are started one after another or all at once.",
      updateStrategy: "How old Pods are replaced by new ones.",
    },
  },
};

export const statefulSetPresentation: KindPresentation = {
  table: statefulSetTable,
  descriptions: statefulSetDescriptions,
};
