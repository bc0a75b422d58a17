import { column, nameColumn, type TableDescription } from "./table-description.ts";

/** What can be said of any object: its name, and when it was created. */
export const defaultTable: TableDescription = {
  columns: [nameColumn, column("Created At", "When the object was created.", "date")],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp ?? ""],
};
