import type { Sent } from "../../../api/sent.ts";
import type { StoredObject } from "../../../api/object.ts";
import type { Instant } from "../../../api/time.ts";

/** What a table cell may hold; null where the object has no such field. */
export type TableCell = string | number | boolean | null;

/** A column as `meta.k8s.io` Tables describe it. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  /** `name` in the column of names, or a format of OpenAPI. */
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority: number;
}

/** A condition of a row; clients grey out or hide rows that are `Completed`. */
export interface RowCondition {
  readonly type: "Completed";
  readonly status: "True";
  readonly reason: string;
  readonly message: string;
}

/** An object of a kind that only its schema checks, so that any field may be absent. */
export type Unchecked<T extends StoredObject> = StoredObject & Omit<Sent<T>, keyof StoredObject>;

/** How the objects of one kind are shown: its columns, and one cell for each of them. */
export interface TableDescription<T extends StoredObject = StoredObject> {
  readonly columns: readonly Column[];
  cells(object: T, now: Instant): readonly TableCell[];
  conditions?(object: T): readonly RowCondition[];
}

/** Returns a column that is always shown. */
export function column(name: string, description: string, type: Column["type"] = "string"): Column {
  return { name, type, format: "", description, priority: 0 };
}

/** Returns a column that only `-o wide` shows. */
export function wideColumn(name: string, description: string, type: Column["type"] = "string"): Column {
  return { ...column(name, description, type), priority: 1 };
}

export const nameColumn: Column = {
  ...column("Name", "The name of the object, unique among its kind in its namespace."),
  format: "name",
};

export const ageColumn: Column = column("Age", "How long ago the object was created.");

/** The table of kinds without columns of their own: name and creation time. */
export const defaultTable: TableDescription = {
  columns: [nameColumn, column("Created At", "When the object was created.", "date")],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp ?? ""],
};
