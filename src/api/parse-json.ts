import { formatFieldPath } from "./field-error.ts";
import type { Json } from "./json.ts";
import { messageOf } from "./message-of.ts";

/** Far deeper than any API object, and shallow enough for recursion. */
export const deepestNesting = 200;

/** A limit for commas and opening brackets: far more than any API object has, and few enough to be processed quickly. */
export const mostValues = 100_000;

export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: Json;
      /** `duplicate field "spec.replicas"`, when asked for; the last of them is in the value. */
      readonly duplicates: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

/**
 * Parses untrusted JSON; invalid or excessively large JSON is an error, not an exception. `valueLimit` replaces
 * `mostValues` where the text is a file of the user rather than a request.
 */
export function parseJson(
  text: string,
  { reportDuplicates = false, valueLimit = mostValues } = {},
): ParsedJson {
  // First, because JSON.parse itself takes a second for a megabyte of brackets.
  const limits = withinLimits(text, valueLimit);
  if ("problem" in limits) return { ok: false, error: limits.problem };
  try {
    const value = JSON.parse(text) as Json;
    // The value keeps one of two equal names, so only texts with more names than the value are searched for duplicates.
    const isSearched = reportDuplicates && fieldsIn(value) !== limits.fields;
    return { ok: true, value, duplicates: isSearched ? duplicateFields(text) : [] };
  } catch (error) {
    return { ok: false, error: `invalid JSON: ${messageOf(error)}` }; // how JSON.parse refuses a text
  }
}

/** Why a text has too many levels or values to be parsed, if so. */
export function jsonLimitProblem(text: string): string | undefined {
  const limits = withinLimits(text);
  return "problem" in limits ? limits.problem : undefined;
}

/** How many fields a text has, every repetition counted, or why it has too many levels or values. */
function withinLimits(
  text: string,
  valueLimit = mostValues,
): { readonly fields: number } | { readonly problem: string } {
  let depth = 0;
  let values = 1;
  let fields = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x3a) fields += 1;
    else if (code === 0x2c) values += 1;
    // The brackets and braces differ only in this bit: 5b/7b open, 5d/7d close.
    else if ((code | 0x20) === 0x7b) {
      values += 1;
      depth += 1;
    } else if ((code | 0x20) === 0x7d) depth -= 1;
    if (depth > deepestNesting) return { problem: `exceeded max depth of ${deepestNesting}` };
    if (values > valueLimit) return { problem: `more than ${valueLimit} values` };
  }
  return { fields };
}

/** How many fields the objects of a value have. */
function fieldsIn(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value) as readonly Json[];
  let count = Array.isArray(value) ? 0 : members.length;
  for (const member of members) count += fieldsIn(member);
  return count;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openObject = 0x7b;
const closeObject = 0x7d;
const openList = 0x5b;
const closeList = 0x5d;

/** Kubernetes lists at most this many. */
const most = 100;

/** An object or list that is still open: the names seen in it, or the index of the current item. */
type Open =
  | { readonly seen: Set<string>; name: string; expectsName: boolean }
  | { readonly seen: undefined; item: number };

/** `duplicate field "spec.replicas"` for each name an object of a JSON text has twice; one pass over valid JSON. */
function duplicateFields(text: string): readonly string[] {
  const open: Open[] = [];
  const found = new Set<string>();
  for (let at = 0; at < text.length && found.size < most; at++) {
    const top = open[open.length - 1];
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at);
        if (top?.seen !== undefined && top.expectsName && isRepeated(top, text.slice(at, end + 1)))
          found.add(`duplicate field ${JSON.stringify(pathOf(open))}`);
        at = end;
        break;
      }
      case openObject:
        open.push({ seen: new Set(), name: "", expectsName: true });
        break;
      case openList:
        open.push({ seen: undefined, item: 0 });
        break;
      case closeObject:
      case closeList:
        open.pop();
        break;
      case comma:
        if (top?.seen === undefined) advance(top);
        else top.expectsName = true;
        break;
      default:
    }
  }
  return [...found];
}

function advance(list: { item: number } | undefined): void {
  if (list !== undefined) list.item += 1;
}

/** Enters a name, as the text spells it, into its object. */
function isRepeated(
  object: { seen: Set<string>; name: string; expectsName: boolean },
  spelled: string,
): boolean {
  object.name = spelled.includes("\\") ? String(JSON.parse(spelled)) : spelled.slice(1, -1);
  object.expectsName = false;
  const before = object.seen.size;
  object.seen.add(object.name);
  return object.seen.size === before;
}

function pathOf(open: readonly Open[]): string {
  return formatFieldPath(open.map((each) => (each.seen === undefined ? each.item : each.name)));
}

/** Where the string that opens at `start` closes; the end of the text when it does not. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = at - 1;
    while (text.charCodeAt(escapes) === backslash) escapes -= 1;
    // An even run of backslashes escapes only itself.
    if ((at - escapes) % 2 === 1) return at;
  }
  return text.length;
}
