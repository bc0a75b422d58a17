import type { TableDescription } from "../tables/table-description.ts";

/** What `kubectl explain` shows for one type of the schema table. */
export interface TypeDescription {
  readonly about?: string;
  /** The texts of its fields, by name. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Descriptions by the name of the type in the schema table, such as `apps.v1.DeploymentSpec`. */
export type TypeDescriptions = Readonly<Record<string, TypeDescription>>;

/** Presents a kind to users: as a table for `kubectl get`, as text for `kubectl explain`. */
export interface KindPresentation {
  /** Name and creation time by default. */
  readonly table?: TableDescription;
  /** The tables of versions with different columns. */
  readonly tableOfVersion?: Readonly<Record<string, TableDescription>>;
  /** The type of the kind itself, and the types that belong to it alone. */
  readonly descriptions: TypeDescriptions;
}
