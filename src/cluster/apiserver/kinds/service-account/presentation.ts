import type { ServiceAccount } from "../../../../api/generated/core-v1.ts";
import { ageOf } from "../../tables/cell-text.ts";
import { ageColumn, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const serviceAccountTable: TableDescription<ServiceAccount> = {
  columns: [nameColumn, ageColumn],
  cells: (account, now) => [account.metadata.name, ageOf(account, now)],
};

const serviceAccountDescriptions: TypeDescriptions = {
  "core.v1.ServiceAccount": {
    about: "An identity for the programs that run in Pods.",
  },
};

export const serviceAccountPresentation: KindPresentation = {
  table: serviceAccountTable,
  descriptions: serviceAccountDescriptions,
};
