import type { ControllerRevision } from "../../../../api/generated/apps-v1.ts";
import { controllerOf } from "../../../../api/owner-references.ts";
import { ageOf } from "../../tables/age.ts";
import { none } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";

export const controllerRevisionTable: TableDescription<ControllerRevision> = {
  columns: [
    nameColumn,
    column("Controller", "What this was a revision of."),
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
  if (controller === undefined) return none;
  const group = controller.apiVersion.includes("/") ? `.${controller.apiVersion.split("/")[0]}` : "";
  return `${controller.kind}${group}`.toLowerCase() + `/${controller.name}`;
}
