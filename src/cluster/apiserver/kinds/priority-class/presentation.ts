import type { PriorityClass } from "../../../../api/generated/scheduling-v1.ts";
import { ageOf, countOrZero, textOrEmpty } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const priorityClassTable: TableDescription<PriorityClass> = {
  columns: [
    nameColumn,
    column("Value", "The priority of Pods of this class; a higher number is more important.", "integer"),
    column("Global-Default", "Whether Pods without a class get this one.", "boolean"),
    ageColumn,
    column("PreemptionPolicy", "Whether Pods of this class preempt Pods of lower priority."),
  ],
  cells: (priorityClass, now) => [
    priorityClass.metadata.name,
    countOrZero(priorityClass.value),
    priorityClass.globalDefault ?? false,
    ageOf(priorityClass, now),
    textOrEmpty(priorityClass.preemptionPolicy),
  ],
};

const priorityClassDescriptions: TypeDescriptions = {
  "scheduling.v1.PriorityClass": {
    about: "A named priority for Pods.",
    fields: {
      value: "The priority of Pods of this class; a higher number is more important.",
      globalDefault: "Whether Pods without a class get this one.",
      description: "When to use it.",
      preemptionPolicy: "Whether Pods of this class preempt Pods of lower priority.",
    },
  },
};

export const priorityClassPresentation: KindPresentation = {
  table: priorityClassTable,
  descriptions: priorityClassDescriptions,
};
