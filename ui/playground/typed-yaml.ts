/** A text after a change, and where its caret is. */
export interface ChangedText {
  readonly text: string;
  readonly caret: number;
}

/** Puts a word in place of a part of a text. */
export function replaced(
  text: string,
  { from, to, by }: { readonly from: number; readonly to: number; readonly by: string },
): ChangedText {
  return { text: text.slice(0, from) + by + text.slice(to), caret: from + by.length };
}

export const insertedAt = (text: string, at: number, more: string): ChangedText =>
  replaced(text, { from: at, to: at, by: more });

/** The spaces that a new line begins with: those of the line before, and more below a key without a value. */
export function keptIndent(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  const [, spaces = "", dashes = ""] = /^( *)((?:- +)*)/.exec(line) ?? [];
  const indent = spaces + " ".repeat(dashes.length);
  return /:\s*$/.test(line) ? `${indent}  ` : indent;
}

/** The row and column of a place, both from 0 on. */
export function rowOf(text: string, at: number): { readonly row: number; readonly column: number } {
  const before = text.slice(0, at);
  return { row: before.split("\n").length - 1, column: at - (before.lastIndexOf("\n") + 1) };
}

/** Where a row begins. */
export function startOfRow(text: string, row: number): number {
  const before = text.split("\n").slice(0, row);
  return before.reduce((sum, line) => sum + line.length + 1, 0);
}

/** The line that a problem such as `manifest:2:7: kind: …` names, from 1 on. */
export function lineOf(problem: string): number | undefined {
  const [, line] = /^manifest:([0-9]+):/.exec(problem) ?? [];
  return line === undefined ? undefined : Number(line);
}
