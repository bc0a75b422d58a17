import { compareText } from "../../api/compare-text.ts";

/** JSON as Go writes maps: keys in order, and the characters of markup escaped. */
export function goJson(value: unknown, indent = 0): string {
  return written(value, { unit: " ".repeat(indent), depth: 0, isSorted: true });
}

/** JSON of a value whose keys have the order of a Go type. */
export function typedJson(value: unknown, indent = 0): string {
  return written(value, { unit: " ".repeat(indent), depth: 0, isSorted: false });
}

interface Layout {
  /** Empty: everything stands in one line. */
  readonly unit: string;
  readonly depth: number;
  readonly isSorted: boolean;
}

function written(value: unknown, layout: Layout): string {
  if (typeof value === "string") return goText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const inner = { ...layout, depth: layout.depth + 1 };
  if (Array.isArray(value))
    return enclosed(
      ["[", "]"],
      value.map((item) => written(item, inner)),
      layout,
    );
  const colon = layout.unit === "" ? ":" : ": ";
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  const ordered = layout.isSorted ? entries.toSorted(([one], [other]) => compareText(one, other)) : entries;
  const members = ordered.map(([key, member]) => `${goText(key)}${colon}${written(member, inner)}`);
  return enclosed(["{", "}"], members, layout);
}

function enclosed(
  [open, close]: readonly [string, string],
  parts: readonly string[],
  layout: Layout,
): string {
  if (parts.length === 0) return open + close;
  if (layout.unit === "") return open + parts.join(",") + close;
  const indent = `\n${layout.unit.repeat(layout.depth)}`;
  return open + parts.map((part) => indent + layout.unit + part).join(",") + indent + close;
}

const escapes: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** A text in quotes, as Go writes it in JSON. */
function goText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => escapes[character] ?? character,
  );
}
