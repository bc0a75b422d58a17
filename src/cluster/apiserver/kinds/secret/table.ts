import type { Secret } from "../../../../api/generated/core-v1.ts";
import { ageOf } from "../../tables/age.ts";
import { textOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";

export const secretTable: TableDescription<Secret> = {
  columns: [
    nameColumn,
    column("Type", "What the secret is for."),
    column("Data", "How many entries there are.", "integer"),
    ageColumn,
  ],
  cells: (secret, now) => [
    secret.metadata.name,
    textOf(secret.type),
    Object.keys(secret.data ?? {}).length,
    ageOf(secret, now),
  ],
};
