import type { Secret } from "../../../../api/generated/core-v1.ts";
import { ageOf, textOrEmpty } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const secretTable: TableDescription<Secret> = {
  columns: [
    nameColumn,
    column("Type", "The purpose of the Secret."),
    column("Data", "The number of entries.", "integer"),
    ageColumn,
  ],
  cells: (secret, now) => [
    secret.metadata.name,
    textOrEmpty(secret.type),
    Object.keys(secret.data ?? {}).length,
    ageOf(secret, now),
  ],
};

const secretDescriptions: TypeDescriptions = {
  "core.v1.Secret": {
    about: "Confidential configuration as keys and values.",
    fields: {
      type: "The purpose of the Secret; Opaque by default.",
      data: "Entries as base64.",
      stringData: "Entries as text; written into data and never read back.",
      immutable: "Whether the data can no longer be changed.",
    },
  },
};

export const secretPresentation: KindPresentation = { table: secretTable, descriptions: secretDescriptions };
