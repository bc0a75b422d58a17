import { stringify } from "yaml";
import { plain, type TextOptions } from "../decisions/explain/text-table.ts";
import { ansiPaint } from "./colours.ts";
import type { Invocation, Terminal } from "./command.ts";

/** The values of `--output` of commands that print a report; without it they print text for people. */
export const outputFormats = ["json", "yaml", "wide"] as const;

export type OutputFormat = "text" | (typeof outputFormats)[number];

/** The format that `--output` names. */
export function outputFormatOf(flags: Invocation["flags"]): OutputFormat {
  return outputFormats.find((format) => format === flags["output"]) ?? "text";
}

export interface ReportOutput {
  readonly terminal: Terminal;
  readonly format: OutputFormat;
  /** The report for people. */
  readonly text: (options: TextOptions) => string;
}

/** Prints a report, which is plain JSON, for people or for programs. */
export function printReport(report: object, { terminal, format, text }: ReportOutput): void {
  switch (format) {
    case "json":
      terminal.out(JSON.stringify(report, undefined, 2));
      break;
    case "yaml":
      terminal.out(stringify(report).trimEnd());
      break;
    case "text":
    case "wide": {
      const paint = terminal.colours === true ? ansiPaint : plain;
      terminal.out(text({ isWide: format === "wide", paint }));
    }
  }
}
