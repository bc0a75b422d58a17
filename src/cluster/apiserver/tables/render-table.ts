import type { ListMeta } from "../../../api/generated/meta-v1.ts";
import type { StoredMeta, StoredObject } from "../../../api/object.ts";
import { apiVersionOf, type Resource } from "../../../api/resource.ts";
import type { Instant } from "../../../api/time.ts";
import type { TableCell, Column, RowCondition, TableDescription } from "./table-description.ts";

/** A kind, and how its objects are shown. */
export type TableKind = Pick<Resource, "group" | "version" | "kind"> & { readonly table: TableDescription };

export interface TableRequest {
  /** What the objects are: a collection, or the kind of a subresource. */
  readonly resource: TableKind;
  readonly objects: readonly StoredObject[];
  /** The metadata of the list, or of the single object. */
  readonly listMeta: Pick<ListMeta, "resourceVersion" | "continue" | "remainingItemCount">;
  /** What each row carries besides its cells; `Metadata` by default. */
  readonly includeObject?: "None" | "Metadata" | "Object";
  /** The requested version of `meta.k8s.io`. */
  readonly version?: "v1" | "v1beta1";
  /** In a watch only the first Table describes its columns. */
  readonly withoutColumns?: boolean;
  readonly now: Instant;
}

export interface RenderedRow {
  readonly cells: readonly TableCell[];
  readonly conditions?: readonly RowCondition[];
  readonly object: StoredObject | { readonly metadata: StoredMeta } | null;
}

/** A `Table` of `meta.k8s.io`, ready to be encoded. */
export interface RenderedTable {
  readonly kind: "Table";
  readonly apiVersion: string;
  readonly metadata: Pick<ListMeta, "resourceVersion" | "continue" | "remainingItemCount">;
  readonly columnDefinitions: readonly Column[] | null;
  readonly rows: readonly RenderedRow[];
}

/** Renders objects of one kind as kubectl prints them, always with the wide columns, which the client may drop. */
export function renderTable(request: TableRequest): RenderedTable {
  const { resource, objects, listMeta, now } = request;
  const description = resource.table;
  const apiVersion = `meta.k8s.io/${request.version ?? "v1"}`;
  const rows = objects.map((object): RenderedRow => {
    const conditions = description.conditions?.(object) ?? [];
    return {
      cells: description.cells(object, now),
      ...(conditions.length > 0 && { conditions }),
      object: included(object, request, apiVersion),
    };
  });
  const { resourceVersion, continue: next, remainingItemCount } = listMeta;
  return {
    kind: "Table",
    apiVersion,
    metadata: {
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(next !== undefined && { continue: next }),
      ...(remainingItemCount !== undefined && { remainingItemCount }),
    },
    columnDefinitions: request.withoutColumns === true ? null : description.columns,
    rows,
  };
}

function included(object: StoredObject, request: TableRequest, apiVersion: string): RenderedRow["object"] {
  switch (request.includeObject ?? "Metadata") {
    case "None":
      return null;
    case "Metadata":
      return { kind: "PartialObjectMetadata", apiVersion, metadata: object.metadata };
    case "Object":
      return { ...object, kind: request.resource.kind, apiVersion: apiVersionOf(request.resource) };
  }
}
