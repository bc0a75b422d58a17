/** How columns are padded: each is as wide as its widest cell and the padding, and never narrower than the minimum. */
export interface ColumnSpacing {
  readonly minWidth: number;
  readonly padding: number;
}

/** Of `kubectl get`. */
export const tableSpacing: ColumnSpacing = { minWidth: 6, padding: 3 };
/** Of `kubectl describe`. */
export const detailSpacing: ColumnSpacing = { minWidth: 0, padding: 2 };

/**
 * Replaces tabs by blanks so that cells stand in columns, as elastic tab stops do: a column is a run of lines that have a
 * cell there which a tab ends, and the cell behind the last tab of a line belongs to none.
 */
export function alignColumns(text: string, spacing: ColumnSpacing): string {
  const lines = text.split("\n").map((line) => line.split("\t"));
  const printed: string[] = [];
  alignFrom(lines, { start: 0, end: lines.length }, { spacing, widths: [], printed });
  return printed.join("\n");
}

interface Aligning {
  readonly spacing: ColumnSpacing;
  /** Of the columns to the left. */
  readonly widths: readonly number[];
  readonly printed: string[];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function alignFrom(lines: readonly (readonly string[])[], { start, end }: Range, aligning: Aligning): void {
  const column = aligning.widths.length;
  const hasCell = (index: number) => column < (lines[index]?.length ?? 0) - 1;
  for (let at = start; at < end;) {
    if (!hasCell(at)) {
      aligning.printed.push(lineText(lines[at] ?? [], aligning.widths));
      at++;
      continue;
    }
    let blockEnd = at;
    let width = aligning.spacing.minWidth;
    while (blockEnd < end && hasCell(blockEnd)) {
      width = Math.max(width, widthOf(lines[blockEnd]?.[column] ?? "") + aligning.spacing.padding);
      blockEnd++;
    }
    const widths = [...aligning.widths, width];
    alignFrom(lines, { start: at, end: blockEnd }, { ...aligning, widths });
    at = blockEnd;
  }
}

function lineText(cells: readonly string[], widths: readonly number[]): string {
  return cells.map((cell, index) => padded(cell, widths[index] ?? 0)).join("");
}

/** In code points, as kubectl counts. */
function widthOf(cell: string): number {
  return Array.from(cell).length;
}

export function padded(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - widthOf(cell)));
}
