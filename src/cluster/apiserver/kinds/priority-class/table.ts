import type { PriorityClass } from "../../../../api/generated/scheduling-v1.ts";
import { ageOf } from "../../tables/age.ts";
import { countOf, textOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";

export const priorityClassTable: TableDescription<PriorityClass> = {
  columns: [
    nameColumn,
    column("Value", "The priority of Pods of this class; more is more important.", "integer"),
    column("Global-Default", "Whether Pods without a class get this one.", "boolean"),
    ageColumn,
    column("PreemptionPolicy", "Whether Pods of this class push others aside."),
  ],
  cells: (priorityClass, now) => [
    priorityClass.metadata.name,
    countOf(priorityClass.value),
    priorityClass.globalDefault ?? false,
    ageOf(priorityClass, now),
    textOf(priorityClass.preemptionPolicy),
  ],
};
