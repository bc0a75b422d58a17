import type { Json } from "../../../../api/json.ts";

/** A step of a JSONPath as kubectl writes them. */
export type PathStep =
  | { readonly kind: "field"; readonly name: string }
  | {
      readonly kind: "slice";
      readonly from: number | undefined;
      readonly to: number | undefined;
      readonly by: number;
    }
  | { readonly kind: "index"; readonly at: number }
  | { readonly kind: "wildcard" }
  | { readonly kind: "recursive" }
  | { readonly kind: "filter"; readonly filter: PathFilter };

/** `@.type=="Ready"`, or `@.type` alone, which asks whether there is one. */
export interface PathFilter {
  readonly left: readonly PathStep[];
  readonly operator: "exists" | "==" | "!=" | "<" | "<=" | ">" | ">=";
  readonly right: { readonly path: readonly PathStep[] } | { readonly value: Json };
}

/** The steps of a path, or why a text is no path. */
export type ParsedPath =
  | { readonly ok: true; readonly steps: readonly PathStep[] }
  | { readonly ok: false; readonly error: string };

/** Parses a JSONPath without its braces: `.spec.x`, `.status.conditions[?(@.type=="Ready")].status`. */
export function parseColumnPath(text: string): ParsedPath {
  const steps: PathStep[] = [];
  let rest = text.startsWith("$") ? text.slice(1) : text;
  if (rest === ".") return { ok: true, steps };
  while (rest !== "") {
    const read = rest.startsWith("[") ? readBrackets(rest) : readField(rest);
    if (read === undefined) return { ok: false, error: `unrecognized JSONPath at ${JSON.stringify(rest)}` };
    steps.push(read.step);
    rest = read.rest;
  }
  return { ok: true, steps };
}

interface Read {
  readonly step: PathStep;
  readonly rest: string;
}

function readField(text: string): Read | undefined {
  if (text.startsWith(".."))
    return { step: { kind: "recursive" }, rest: text.startsWith("..[") ? text.slice(2) : text.slice(1) };
  const [whole, name = ""] = /^\.((?:\\.|[^.[\]\\\s()])+)/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const rest = text.slice(whole.length);
  if (name === "*") return { step: { kind: "wildcard" }, rest };
  return { step: { kind: "field", name: name.replaceAll(/\\(.)/g, "$1") }, rest };
}

function readBrackets(text: string): Read | undefined {
  const end = closingBracket(text);
  if (end === undefined) return undefined;
  const step = stepIn(text.slice(1, end).trim());
  return step && { step, rest: text.slice(end + 1) };
}

/** Returns where the bracket that a text begins with closes; those in quotes do not count. */
function closingBracket(text: string): number | undefined {
  let depth = 0;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "\\") at += 1;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"') quote = character;
    else depth += Number(character === "[") - Number(character === "]");
    if (depth === 0) return at;
  }
  return undefined;
}

function stepIn(inside: string): PathStep | undefined {
  if (inside === "*") return { kind: "wildcard" };
  const quoted = unquoted(inside);
  if (quoted !== undefined) return { kind: "field", name: quoted };
  if (/^-?[0-9]+$/.test(inside)) return { kind: "index", at: Number(inside) };
  const filter = /^\?\s*\((.*)\)$/s.exec(inside);
  if (filter !== null) return filterIn((filter[1] ?? "").trim());
  return sliceIn(inside);
}

function sliceIn(inside: string): PathStep | undefined {
  const [whole, from = "", to = "", by = ""] = /^(-?[0-9]*):(-?[0-9]*)(?::([0-9]*))?$/.exec(inside) ?? [];
  if (whole === undefined || by === "0") return undefined;
  const numberIn = (text: string): number | undefined => (/[0-9]/.test(text) ? Number(text) : undefined);
  return { kind: "slice", from: numberIn(from), to: numberIn(to), by: numberIn(by) ?? 1 };
}

function filterIn(text: string): PathStep | undefined {
  const [, left = "", operator, right = ""] = /^([^=!<>]+)(==|!=|<=|>=|<|>)(.+)$/s.exec(text) ?? [
    undefined,
    text,
  ];
  const path = relativePath(left.trim());
  if (path === undefined) return undefined;
  if (operator === undefined) {
    // An operator without an operand is no question for existence.
    if (/[=!<>]/.test(left)) return undefined;
    return { kind: "filter", filter: { left: path, operator: "exists", right: { value: true } } };
  }
  const operand = operandIn(right.trim());
  if (operand === undefined) return undefined;
  return {
    kind: "filter",
    filter: { left: path, operator: operator as PathFilter["operator"], right: operand },
  };
}

/** Reads `@.type`; filters do not contain filters. */
function relativePath(text: string): readonly PathStep[] | undefined {
  if (!text.startsWith("@") || text.includes("?(")) return undefined;
  const parsed = parseColumnPath(text.slice(1));
  return parsed.ok ? parsed.steps : undefined;
}

function operandIn(text: string): PathFilter["right"] | undefined {
  const quoted = unquoted(text);
  if (quoted !== undefined) return { value: quoted };
  if (text === "true" || text === "false") return { value: text === "true" };
  if (/^[+-]?[0-9]+(?:\.[0-9]+)?$/.test(text)) return { value: Number(text) };
  const path = relativePath(text);
  return path && { path };
}

function unquoted(text: string): string | undefined {
  const [, , inside] = /^(['"])((?:\\.|(?!\1)[^\\])*)\1$/s.exec(text) ?? [];
  return inside?.replaceAll(/\\(.)/gs, "$1");
}
