import type { ControllerRevision } from "../../../../api/generated/apps-v1.ts";
import { controllerOf } from "../../../../api/owner-references.ts";
import { ageOf, noneText } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const controllerRevisionTable: TableDescription<ControllerRevision> = {
  columns: [
    nameColumn,
    column("Controller", "The workload of the revision."),
    column("Revision", "The number of the revision."),
    ageColumn,
  ],
  cells: (revision, now) => [
    revision.metadata.name,
    controllerText(revision),
    revision.revision,
    ageOf(revision, now),
  ],
};

function controllerText(revision: ControllerRevision): string {
  const controller = controllerOf(revision);
  if (controller === undefined) return noneText;
  const group = controller.apiVersion.includes("/") ? `.${controller.apiVersion.split("/")[0]}` : "";
  return `${controller.kind}${group}`.toLowerCase() + `/${controller.name}`;
}

const controllerRevisionDescriptions: TypeDescriptions = {
  "apps.v1.ControllerRevision": {
    about:
      "A snapshot of the desired state of a workload, kept so that the workload can be rolled back to it.",
  },
};

export const controllerRevisionPresentation: KindPresentation = {
  table: controllerRevisionTable,
  descriptions: controllerRevisionDescriptions,
};
