const nullTexts = new Set(["", "~", "null", "Null", "NULL"]);
const boolTexts = new Set(
  ["y", "yes", "on", "true", "n", "no", "off", "false"].flatMap((word) => [
    word,
    word.toUpperCase(),
    word.charAt(0).toUpperCase() + word.slice(1),
  ]),
);
const otherTexts = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|<<)$/;
const integers = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
const floats = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const timestamps =
  /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d))|(?: \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?))?$/;

/** Whether a YAML reader takes a plain text for a text, and not for a number, a date and the like. */
function isPlainText(text: string): boolean {
  if (nullTexts.has(text) || boolTexts.has(text) || otherTexts.test(text)) return false;
  const digits = text.replaceAll("_", "");
  if (/^[-+.0-9]/.test(text) && (integers.test(digits) || floats.test(digits))) return false;
  return !base60.test(text) && !timestamps.test(text);
}

const special = /[^\t\n\r\u0020-\u007E\u0085\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|\uFEFF/u;

type Style = "plain" | "single" | "double" | "literal";

/** The style that go-yaml writes a text in. */
export function styleOf(text: string, isKey: boolean): Style {
  const allowed = allowedStyles(text);
  if (text.includes("\n")) return allowed.block && !isKey ? "literal" : "double";
  if (!isPlainText(text)) return "double";
  if (allowed.plain) return "plain";
  return allowed.single ? "single" : "double";
}

function allowedStyles(text: string): Readonly<Record<"plain" | "single" | "block", boolean>> {
  const isSpecial = special.test(text) || / \n/.test(text) || text.includes("\t");
  const breaksThenSpace = /\n /.test(text);
  const isPlain = !isSpecial && !hasIndicators(text) && !/^[ \n]|[ \n]$/.test(text) && !text.includes("\n");
  return { plain: isPlain, single: !isSpecial && !breaksThenSpace, block: !isSpecial && !text.endsWith(" ") };
}

function hasIndicators(text: string): boolean {
  return (
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^(?:---|\.\.\.)/.test(text) ||
    /^[-?:](?:\s|$)/.test(text) ||
    /:(?:\s|$)/.test(text) ||
    /\s#/.test(text)
  );
}

/** A literal block: its header, and its lines. */
export function literalBlock(text: string): { readonly header: string; readonly lines: readonly string[] } {
  const hint = /^[ \n]/.test(text) ? "2" : "";
  const chomp = !text.endsWith("\n") ? "-" : text === "\n" || text.endsWith("\n\n") ? "+" : "";
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  return { header: `|${hint}${chomp}`, lines: body.split("\n") };
}

const shortEscapes: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\u001B": "\\e",
  '"': '\\"',
  "\\": "\\\\",
  "\u0085": "\\N",
  "\u00A0": "\\_",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

/** One character of a text in double quotes. */
export function doubleQuoted(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (!special.test(character)) return character;
  if (code <= 0xff) return `\\x${hex(code, 2)}`;
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

const hex = (code: number, width: number) => code.toString(16).toUpperCase().padStart(width, "0");
