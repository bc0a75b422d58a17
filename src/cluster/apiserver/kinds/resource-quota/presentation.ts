import type { ResourceQuota } from "../../../../api/generated/core-v1.ts";
import { ageOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const resourceQuotaTable: TableDescription<ResourceQuota> = {
  columns: [
    nameColumn,
    column("Request", "What is used of each request or count quota."),
    column("Limit", "What is used of each limit quota."),
    ageColumn,
  ],

  cells: (quota, now) => [
    quota.metadata.name,
    usageText(quota, (resource) => !isLimit(resource)),
    usageText(quota, isLimit),
    ageOf(quota, now),
  ],
};

function usageText({ status }: ResourceQuota, belongs: (resource: string) => boolean): string {
  return Object.entries(status?.hard ?? {})
    .filter(([resource]) => belongs(resource))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([resource, hard]) => `${resource}: ${status?.used?.[resource] ?? 0}/${hard}`)
    .join(", ");
}

function isLimit(resource: string): boolean {
  return resource.startsWith("limits.");
}

const resourceQuotaDescriptions: TypeDescriptions = {
  "core.v1.ResourceQuota": {
    about: "The most that all objects of a namespace may use together.",
  },
  "core.v1.ResourceQuotaSpec": {
    fields: {
      hard: "The limit for each resource.",
    },
  },
};

export const resourceQuotaPresentation: KindPresentation = {
  table: resourceQuotaTable,
  descriptions: resourceQuotaDescriptions,
};
