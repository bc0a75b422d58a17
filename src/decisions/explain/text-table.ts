import { visibleLine } from "../../api/visible-text.ts";

/** How a piece of text stands out on a terminal. */
export type TextStyle = "heading" | "bad" | "good" | "open" | "quiet";

/** Gives text its style, or leaves it as it is where there are no colours. */
export type Paint = (style: TextStyle, text: string) => string;

/** Leaves all text as it is. */
export const plain: Paint = (_style, text) => text;

/** How a report is printed. */
export interface TextOptions {
  /** Whether it has every row, and columns that most people do not need. */
  readonly isWide?: boolean;
  readonly paint?: Paint;
}

/** A cell of a table. */
export type TextCell = string | { readonly text: string; readonly style: TextStyle };

/** Columns under headings, as kubectl prints them: three spaces between columns, none at the end of a line. */
export function textTable(
  headings: readonly string[],
  rows: readonly (readonly TextCell[])[],
  paint: Paint = plain,
): readonly string[] {
  const widths = headings.map((heading, column) =>
    rows.reduce((width, row) => Math.max(width, textOf(row[column] ?? "").length), heading.length),
  );
  const line = (cells: readonly TextCell[]): string => {
    const last = cells.findLastIndex((cell) => textOf(cell) !== "");
    return cells
      .slice(0, last + 1)
      .map((cell, column) => {
        const padded = column === last ? textOf(cell) : textOf(cell).padEnd((widths[column] ?? 0) + 3);
        return typeof cell === "string" ? padded : paint(cell.style, padded);
      })
      .join("");
  };
  return [line(headings.map((text) => ({ text, style: "heading" }))), ...rows.map(line)];
}

/** A name may hold what would end the line; then its row would read as two. */
function textOf(cell: TextCell): string {
  return visibleLine(typeof cell === "string" ? cell : cell.text);
}

/** Paragraphs of lines, with an empty line between them; those without lines are left out. */
export function joinParagraphs(paragraphs: readonly (readonly string[])[]): string {
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

/** `1 Pod`, `2 Pods`. */
export function countText(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
