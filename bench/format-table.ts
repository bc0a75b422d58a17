import type { Measure } from "./measure.ts";

/** The measures as a table. */
export function formatTable(measures: readonly Measure[]): string {
  const rows = measures.map((measure) => [
    measure.what,
    `${show(measure.value)} ${measure.unit}`,
    measure.bar === undefined ? "–" : show(measure.bar),
    measure.goal === undefined ? "–" : show(measure.goal),
  ]);
  const table = [["what", "measured", "bar", "goal"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    )
    .join("\n");
}

function show(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
