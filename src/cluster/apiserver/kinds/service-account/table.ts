import type { ServiceAccount } from "../../../../api/generated/core-v1.ts";
import { ageOf } from "../../tables/age.ts";
import { ageColumn, nameColumn, type TableDescription } from "../../tables/table-description.ts";

export const serviceAccountTable: TableDescription<ServiceAccount> = {
  columns: [nameColumn, ageColumn],
  cells: (account, now) => [account.metadata.name, ageOf(account, now)],
};
