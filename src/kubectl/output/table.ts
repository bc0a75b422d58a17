import { compareText } from "../../api/compare-text.ts";
import type { Json, JsonObject } from "../../api/json.ts";

/** A Table as the server answers. */
export interface Table extends JsonObject {
  readonly kind: "Table";
  readonly columnDefinitions?: readonly (JsonObject & { readonly name: string; readonly priority: number })[];
  readonly rows?: readonly TableRow[];
}

export interface TableRow extends JsonObject {
  readonly cells: readonly Json[];
  readonly object?: JsonObject & { readonly metadata?: RowMetadata };
}

interface RowMetadata extends JsonObject {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The header by which a server is asked for Tables. */
export const acceptTable = ["v1", "v1beta1"]
  .map((version) => `application/json;as=Table;v=${version};g=meta.k8s.io`)
  .concat("application/json")
  .join(",");

export interface TableStyle {
  readonly isWide: boolean;
  readonly showNamespace: boolean;
  readonly showLabels: boolean;
  /** The labels that have a column each. */
  readonly labelColumns: readonly string[];
  /** What stands before the names; empty: nothing. */
  readonly kindPrefix: string;
}

type Columns = NonNullable<Table["columnDefinitions"]>;

/** The names of the columns, upper case. */
export function headerCells(columns: Columns, style: TableStyle): readonly string[] {
  return [
    ...(style.showNamespace ? ["NAMESPACE"] : []),
    ...shownColumns(columns, style).map(({ name }) => name.toUpperCase()),
    ...style.labelColumns.map((label) => (label.split("/").at(-1) ?? label).toUpperCase()),
    ...(style.showLabels ? ["LABELS"] : []),
  ];
}

const shownColumns = (columns: Columns, { isWide }: TableStyle) =>
  columns.filter(({ priority }) => isWide || priority === 0);

/** The cells of a row. */
export function rowCells(columns: Columns, row: TableRow, style: TableStyle): readonly string[] {
  const metadata = row.object?.metadata;
  const cells = columns.flatMap(({ name, priority }, index) => {
    if (!style.isWide && priority !== 0) return [];
    const text = cellText(row.cells[index]);
    return [index === 0 && style.kindPrefix !== "" && name === "Name" ? `${style.kindPrefix}/${text}` : text];
  });
  const labels = metadata?.labels ?? {};
  return [
    ...(style.showNamespace ? [metadata?.namespace ?? ""] : []),
    ...cells,
    ...style.labelColumns.map((label) => labels[label] ?? ""),
    ...(style.showLabels ? [labelsText(labels)] : []),
  ];
}

/** `a=b,c=d`, in the order of the keys. */
export function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).toSorted(([one], [other]) => compareText(one, other));
  return pairs.length === 0 ? "<none>" : pairs.map(([key, value]) => `${key}=${value}`).join(",");
}

/** Only the first line of a text is shown. */
function cellText(cell: Json | undefined): string {
  if (cell === null || cell === undefined) return "<none>";
  const text = Array.isArray(cell) || typeof cell === "object" ? JSON.stringify(cell) : String(cell);
  const end = text.search(/[\f\n\r]/);
  return end === -1 ? text.replaceAll("\t", " ") : `${text.slice(0, end)}...`;
}
