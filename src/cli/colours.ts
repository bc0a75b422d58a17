import { visibleText } from "../api/visible-text.ts";
import type { Paint, TextStyle } from "../decisions/explain/text-table.ts";
import type { Terminal } from "./command.ts";

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

// oxlint-disable-next-line no-control-regex
const ownColours = new RegExp(`(\u001B\\[(?:0|${Object.values(codes).join("|")})m)`);

/**
 * A terminal that shows control characters instead of obeying them: names, images and messages of a cluster or a file may hold
 * sequences that move the cursor or rename the window. On a terminal with colours, our own remain.
 */
export function showingControls(terminal: Terminal): Terminal {
  const shown = (text: string) =>
    terminal.colours === true
      ? text
          .split(ownColours)
          .map((part, index) => (index % 2 === 1 ? part : visibleText(part)))
          .join("")
      : visibleText(text);
  const { progress, status, ready, write } = terminal;
  return {
    ...terminal,
    out: (text) => terminal.out(shown(text)),
    err: (text) => terminal.err(visibleText(text)),
    ...(write !== undefined && { write: (text: string) => write(visibleText(text)) }),
    ...(progress !== undefined && { progress: (text: string) => progress(visibleText(text)) }),
    ...(status !== undefined && { status: (text: string) => status(visibleText(text)) }),
    ...(ready !== undefined && { ready: (text: string) => ready(visibleText(text)) }),
  };
}
