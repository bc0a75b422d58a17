import type { PodDisruptionBudget } from "../../../../api/generated/policy-v1.ts";
import { ageOf, countOrZero } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const podDisruptionBudgetTable: TableDescription<PodDisruptionBudget> = {
  columns: [
    nameColumn,
    column("Min Available", "The number or percentage of Pods that must stay available."),
    column("Max Unavailable", "The number or percentage of Pods that may be unavailable."),
    column("Allowed Disruptions", "Pods that may be evicted now.", "integer"),
    ageColumn,
  ],

  cells: (budget, now) => [
    budget.metadata.name,
    String(budget.spec.minAvailable ?? "N/A"),
    String(budget.spec.maxUnavailable ?? "N/A"),
    countOrZero(budget.status?.disruptionsAllowed),
    ageOf(budget, now),
  ],
};

const podDisruptionBudgetDescriptions: TypeDescriptions = {
  "policy.v1.PodDisruptionBudget": {
    about: "How many Pods of an application may be voluntarily disrupted at once.",
  },
  "policy.v1.PodDisruptionBudgetSpec": {
    fields: {
      minAvailable: "The number or percentage of Pods that must stay available.",
      maxUnavailable: "The number or percentage of Pods that may be unavailable.",
      selector: "Which Pods the budget covers.",
      unhealthyPodEvictionPolicy: "Whether Pods that are not ready may always be evicted.",
    },
  },
  "policy.v1.PodDisruptionBudgetStatus": {
    fields: {
      disruptionsAllowed: "How many Pods may be evicted now.",
      currentHealthy: "How many Pods are healthy.",
      desiredHealthy: "How many Pods must be healthy.",
      expectedPods: "How many Pods the budget covers.",
    },
  },
};

export const podDisruptionBudgetPresentation: KindPresentation = {
  table: podDisruptionBudgetTable,
  descriptions: podDisruptionBudgetDescriptions,
};
