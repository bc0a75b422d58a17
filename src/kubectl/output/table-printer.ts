import type { Context } from "../context.ts";
import { type ApiResource, fullSingular } from "../server/discovery.ts";
import { padded, tableSpacing } from "./align-columns.ts";
import { headerCells, rowCells, type Table, type TableRow, type TableStyle } from "./table.ts";

/** Rows that are printed together, with widths that later rows of a watch keep. */
export interface TablePrinter {
  /** Prints rows, below a header the first time. */
  readonly print: (table: Table, rows?: readonly TableRow[]) => string;
}

export interface TablePrinterOptions {
  readonly resource: ApiResource;
  readonly showNamespace: boolean;
  readonly showKind: boolean;
}

/** A printer for the tables of one resource. */
export function tablePrinter(context: Context, options: TablePrinterOptions): TablePrinter {
  const style: TableStyle = {
    isWide: context.text("output") === "wide",
    showNamespace: options.showNamespace && options.resource.namespaced,
    showLabels: context.isOn("show-labels"),
    labelColumns: context.list("label-columns"),
    kindPrefix: options.showKind ? fullSingular(options.resource) : "",
  };
  let columns: Table["columnDefinitions"] = undefined;
  let hasHeader = !context.isOn("no-headers");
  let widths: readonly number[] = [];
  return {
    print(table, rows = table.rows ?? []) {
      const given = table.columnDefinitions ?? [];
      const isNew = columns === undefined && given.length > 0;
      if (isNew) columns = given;
      const known = columns ?? given;
      const printed = rows.map((row) => rowCells(known, row, style));
      if (printed.length === 0) return "";
      const lines = hasHeader ? [headerCells(known, style), ...printed] : printed;
      hasHeader = false;
      widths = widthsOf(lines, widths);
      return lines.map((cells) => `${lineOf(cells, widths)}\n`).join("");
    },
  };
}

function widthsOf(lines: readonly (readonly string[])[], before: readonly number[]): readonly number[] {
  const [first = []] = lines;
  const { minWidth, padding } = tableSpacing;
  return first.map((_, index) =>
    Math.max(
      minWidth,
      before[index] ?? 0,
      ...lines.map((cells) => Array.from(cells[index] ?? "").length + padding),
    ),
  );
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => (index === cells.length - 1 ? cell : padded(cell, widths[index] ?? 0)))
    .join("");
}
