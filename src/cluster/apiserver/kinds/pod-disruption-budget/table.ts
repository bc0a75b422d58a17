import type { PodDisruptionBudget } from "../../../../api/generated/policy-v1.ts";
import { ageOf } from "../../tables/age.ts";
import { countOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";

export const podDisruptionBudgetTable: TableDescription<PodDisruptionBudget> = {
  columns: [
    nameColumn,
    column("Min Available", "Pods, or the share of them, that must stay available."),
    column("Max Unavailable", "Pods, or the share of them, that may be unavailable."),
    column("Allowed Disruptions", "Pods that may be evicted now.", "integer"),
    ageColumn,
  ],

  cells: (budget, now) => [
    budget.metadata.name,
    String(budget.spec.minAvailable ?? "N/A"),
    String(budget.spec.maxUnavailable ?? "N/A"),
    countOf(budget.status?.disruptionsAllowed),
    ageOf(budget, now),
  ],
};
