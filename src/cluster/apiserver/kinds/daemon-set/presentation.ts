import type { DaemonSet } from "../../../../api/generated/apps-v1.ts";
import { ageOf, countOrZero, labelMapText } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import { templateCells, templateColumns } from "../../tables/template-columns.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const daemonSetTable: TableDescription<DaemonSet> = {
  columns: [
    nameColumn,
    column("Desired", "Nodes that should run a Pod.", "integer"),
    column("Current", "Nodes that run their Pod.", "integer"),
    column("Ready", "Nodes whose Pod is ready.", "integer"),
    column("Up-to-date", "Nodes whose Pod runs the current template.", "integer"),
    column("Available", "Nodes whose Pod has been ready for long enough.", "integer"),
    column("Node Selector", "The labels a node needs to get a Pod."),
    ageColumn,
    ...templateColumns,
  ],

  cells(daemonSet, now) {
    const { spec, status } = daemonSet;
    return [
      daemonSet.metadata.name,
      countOrZero(status?.desiredNumberScheduled),
      countOrZero(status?.currentNumberScheduled),
      countOrZero(status?.numberReady),
      countOrZero(status?.updatedNumberScheduled),
      countOrZero(status?.numberAvailable),
      labelMapText(spec.template.spec?.nodeSelector),
      ageOf(daemonSet, now),
      ...templateCells(spec),
    ];
  },
};

const daemonSetDescriptions: TypeDescriptions = {
  "apps.v1.DaemonSet": {
    about: "Keeps one Pod on every node that matches.",
  },
  "apps.v1.DaemonSetSpec": {
    fields: {
      selector: "Which Pods belong to this set. Must match the template's labels.",
      template: "The template that the Pod on each node is created from.",
      updateStrategy: "How old Pods are replaced by new ones.",
      minReadySeconds: "How long a Pod must have been ready to count as available.",
    },
  },
};

export const daemonSetPresentation: KindPresentation = {
  table: daemonSetTable,
  descriptions: daemonSetDescriptions,
};
