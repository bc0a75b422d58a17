import type { PodTemplate, PodTemplateSpec } from "../../../../api/generated/core-v1.ts";
import { labelMapText } from "../../tables/cell-text.ts";
import { column, nameColumn, type TableDescription, type Unchecked } from "../../tables/table-description.ts";
import { containerCells } from "../../tables/template-columns.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const podTemplateTable: TableDescription<Unchecked<PodTemplate>> = {
  columns: [
    nameColumn,
    column("Containers", "The names of the containers in the template."),
    column("Images", "The images of the containers in the template."),
    column("Pod Labels", "The labels of Pods that are made from the template."),
  ],
  cells: ({ metadata, template }) => [
    metadata.name,
    ...containerCells(template as PodTemplateSpec | undefined),
    labelMapText(template?.metadata?.labels),
  ],
};

export const podTemplatePresentation: KindPresentation = {
  table: podTemplateTable,
  descriptions: {
    "core.v1.PodTemplate": {
      about: "A template for Pods, stored on its own.",
    },
  },
};
