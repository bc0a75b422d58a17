import type { Paint, TextStyle } from "../decisions/explain/text-table.ts";

/** The SGR codes of the styles: colours that are readable on dark and on light terminals. */
const codes: Readonly<Record<TextStyle, number>> = { heading: 1, bad: 31, good: 32, open: 33, quiet: 2 };

/** Paints with the colours of a terminal. */
export const ansiPaint: Paint = (style, text) => `\u001B[${codes[style]}m${text}\u001B[0m`;

/** Whether text for people gets colours: on a terminal, unless the user wants none (https://no-color.org). */
export function hasColours(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
