import { visibleLine } from "../../api/visible-text.ts";

/** Rows as lines of text, their columns one below the other. */
export function tableLines(table: readonly (readonly string[])[]): readonly string[] {
  const rows = table.map((cells) => cells.map(visibleLine));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  return rows.map((cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("   ")
      .trimEnd(),
  );
}
