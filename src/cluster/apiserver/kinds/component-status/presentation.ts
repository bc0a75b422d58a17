import type { ComponentStatus } from "../../../../api/generated/core-v1.ts";
import { textOrEmpty } from "../../tables/cell-text.ts";
import { column, nameColumn, type TableDescription, type Unchecked } from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const componentStatusTable: TableDescription<Unchecked<ComponentStatus>> = {
  columns: [
    nameColumn,
    column("Status", "Whether the component is healthy."),
    column("Message", "What it says."),
    column("Error", "What went wrong."),
  ],
  cells({ metadata, conditions = [] }) {
    const { status, message, error } = conditions.find(({ type }) => type === "Healthy") ?? {};
    return [
      metadata.name,
      status === "True" ? "Healthy" : "Unhealthy",
      textOrEmpty(message),
      textOrEmpty(error),
    ];
  },
};

export const componentStatusPresentation: KindPresentation = {
  table: componentStatusTable,
  descriptions: {
    "core.v1.ComponentStatus": {
      about: "The health of a control plane component. Deprecated.",
    },
  },
};
