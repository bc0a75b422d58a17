/** One condition on a field's text. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** A conjunction of conditions in canonical order; empty selects everything. */
export type FieldSelector = readonly FieldRequirement[];

/** A selector, or the error that Kubernetes reports for the text. */
export type ParsedFieldSelector =
  | { readonly ok: true; readonly selector: FieldSelector }
  | { readonly ok: false; readonly error: string };

/** Reads `a=b,c!=d`; `==` is `=`, and a backslash in a value keeps `,`, `=` and `\` from being syntax. */
export function parseFieldSelector(text: string): ParsedFieldSelector {
  const selector: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort()) {
    if (term === "") continue;
    const parts = /^(.*?)(!=|==?)(.*)/s.exec(term);
    if (parts === null)
      return { ok: false, error: `invalid selector: '${text}'; can't understand '${term}'` };
    const [, field = "", operator, escaped = ""] = parts;
    const value = unescape(escaped);
    if (typeof value !== "string") return { ok: false, error: `invalid field selector: ${value.problem}` };
    selector.push({ field, operator: operator === "!=" ? "!=" : "=", value });
  }
  return { ok: true, selector };
}

function splitTerms(text: string): string[] {
  return text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? [];
}

function unescape(text: string): string | { readonly problem: string } {
  // Each run of plain characters or escape is one match; what is neither is where the value is wrong.
  const wrong = /^(?:[^\\,=]|\\[\\,=])*/s.exec(text)?.[0].length ?? 0;
  if (wrong === text.length) return text.replaceAll(/\\([\\,=])/g, "$1");
  if (text[wrong] !== "\\") return { problem: `unescaped character in value: ${text.codePointAt(wrong)}` };
  const escaped = text.codePointAt(wrong + 1);
  return {
    problem: `invalid escape sequence: \\${escaped === undefined ? "" : String.fromCodePoint(escaped)}`,
  };
}

/** The selector as text that parses back to it. */
export function formatFieldSelector(selector: FieldSelector): string {
  return selector
    .map(({ field, operator, value }) => `${field}${operator}${value.replaceAll(/[\\,=]/g, "\\$&")}`)
    .join(",");
}

/** Whether an object matches a selector; a field that `read` does not return counts as empty. */
export function matchesFields(selector: FieldSelector, read: (field: string) => string | undefined): boolean {
  return selector.every(
    ({ field, operator, value }) => ((read(field) ?? "") === value) === (operator === "="),
  );
}

/** The value that a selector requires of a field, if exactly one: for lookups in an index. */
export function exactValue(selector: FieldSelector, field: string): string | undefined {
  return selector.find((requirement) => requirement.field === field && requirement.operator === "=")?.value;
}
