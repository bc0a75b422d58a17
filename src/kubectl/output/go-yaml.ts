import { compareKeys } from "./yaml-keys.ts";
import { doubleQuoted, literalBlock, styleOf } from "./yaml-scalar.ts";

/** YAML as Go's library writes it, byte for byte: sorted keys, lists not indented, long texts broken at 80 columns. */
export function goYaml(value: unknown): string {
  const writer: Writer = { text: "", column: 0 };
  writeNode(writer, value, { indent: 0, at: "start" });
  return writer.text.endsWith("\n") ? writer.text : `${writer.text}\n`;
}

interface Writer {
  text: string;
  column: number;
}

/** Where a node stands: at the start of a line, behind a key, or behind the dash of a list. */
interface Place {
  readonly indent: number;
  readonly at: "start" | "key" | "dash";
}

function put(writer: Writer, text: string): void {
  writer.text += text;
  writer.column += text.length;
}

function newLine(writer: Writer, indent: number): void {
  writer.text += `\n${" ".repeat(indent)}`;
  writer.column = indent;
}

function writeNode(writer: Writer, value: unknown, place: Place): void {
  if (Array.isArray(value)) writeList(writer, value, place);
  else if (typeof value === "object" && value !== null) writeMap(writer, value, place);
  else writeScalar(writer, value, place);
}

function writeScalar(writer: Writer, value: unknown, { indent, at }: Place): void {
  if (at === "key") put(writer, " ");
  if (typeof value !== "string") put(writer, numberText(value as number | boolean | null | undefined));
  else writeText(writer, value, { indent: at === "start" ? 0 : indent, isKey: false });
}

function numberText(value: number | boolean | null | undefined): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean" || Number.isInteger(value)) return String(value);
  return String(value).replace(/e([-+])(\d)$/, "e$10$2");
}

function writeList(writer: Writer, items: readonly unknown[], { indent, at }: Place): void {
  if (items.length === 0) {
    put(writer, at === "key" ? " []" : "[]");
    return;
  }
  for (const [index, item] of items.entries()) {
    if (index > 0 || at === "key") newLine(writer, indent);
    put(writer, "- ");
    writeNode(writer, item, { indent: indent + 2, at: "dash" });
  }
}

function writeMap(writer: Writer, map: object, { indent, at }: Place): void {
  const entries = Object.entries(map)
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => compareKeys(one, other));
  if (entries.length === 0) {
    put(writer, at === "key" ? " {}" : "{}");
    return;
  }
  const inner = at === "key" ? indent + 2 : indent;
  for (const [index, [key, value]] of entries.entries()) {
    if (index > 0 || at === "key") newLine(writer, inner);
    writeText(writer, key, { indent: inner, isKey: true });
    put(writer, ":");
    const isScalar = typeof value !== "object" || value === null;
    writeNode(writer, value, { indent: isScalar ? inner + 2 : inner, at: "key" });
  }
}

interface TextPlace {
  readonly indent: number;
  readonly isKey: boolean;
}

function writeText(writer: Writer, text: string, place: TextPlace): void {
  switch (styleOf(text, place.isKey)) {
    case "plain":
      writeFolded(writer, Array.from(text), place);
      return;
    case "single":
      put(writer, "'");
      writeFolded(writer, Array.from(text.replaceAll("'", "''")), { ...place, isQuoted: true });
      put(writer, "'");
      return;
    case "double":
      put(writer, '"');
      writeDouble(writer, Array.from(text), place);
      put(writer, '"');
      return;
    case "literal":
      writeLiteral(writer, text, place.indent);
  }
}

function writeLiteral(writer: Writer, text: string, indent: number): void {
  const { header, lines } = literalBlock(text);
  put(writer, header);
  for (const line of lines) {
    if (line === "") writer.text += "\n";
    else {
      newLine(writer, indent);
      put(writer, line);
    }
  }
}

const bestWidth = 80;

/** Breaks a text at single blanks when its line is full; in quotes not at its ends. */
function writeFolded(
  writer: Writer,
  text: readonly string[],
  { indent, isKey, isQuoted = false }: TextPlace & { readonly isQuoted?: boolean },
): void {
  const [first, last] = isQuoted ? [1, text.length - 2] : [0, text.length - 1];
  const isSingleBlank = (index: number) =>
    text[index] === " " && text[index + 1] !== " " && (index === 0 || text[index - 1] !== " ");
  for (const [index, character] of text.entries()) {
    const mayBreak = !isKey && index >= first && index <= last && isSingleBlank(index);
    if (mayBreak && writer.column > bestWidth) newLine(writer, indent);
    else put(writer, character);
  }
}

function writeDouble(writer: Writer, text: readonly string[], { indent, isKey }: TextPlace): void {
  let afterSpace = false;
  for (const [index, character] of text.entries()) {
    const isInside = index > 0 && index < text.length - 1;
    if (character === " " && !isKey && !afterSpace && isInside && writer.column > bestWidth) {
      newLine(writer, indent);
      if (text[index + 1] === " ") put(writer, "\\");
    } else put(writer, doubleQuoted(character));
    afterSpace = character === " ";
  }
}
