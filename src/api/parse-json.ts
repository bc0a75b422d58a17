import { duplicateFields, endOfString } from "./duplicate-fields.ts";
import type { Json } from "./json.ts";
import { messageOf } from "./message-of.ts";

/** Deeper than any API object by far, and shallow enough for every walk over it to be a plain recursion. */
export const deepestNesting = 200;

/** Commas and opening brackets: many times what any API object has, and few enough for every walk to end in a moment. */
export const mostValues = 100_000;

export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: Json;
      /** `duplicate field "spec.replicas"`, when asked for; the last of them is in the value. */
      readonly duplicates: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

/** Reads a JSON text that may come from anybody; what is not JSON, or absurdly much of it, is an error, not an exception. */
export function parseJson(text: string, { reportDuplicates = false } = {}): ParsedJson {
  // First, because JSON.parse itself takes a second for a megabyte of brackets.
  const absurdity = limitProblem(text);
  if (absurdity !== undefined) return { ok: false, error: absurdity };
  try {
    const value = JSON.parse(text) as Json;
    return { ok: true, value, duplicates: reportDuplicates ? duplicateFields(text) : [] };
  } catch (error) {
    return { ok: false, error: `invalid JSON: ${messageOf(error)}` };
  }
}

function limitProblem(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x2c) values += 1;
    // The brackets and braces differ only in this bit: 5b/7b open, 5d/7d close.
    else if ((code | 0x20) === 0x7b) {
      values += 1;
      depth += 1;
    } else if ((code | 0x20) === 0x7d) depth -= 1;
    if (depth > deepestNesting) return `exceeded max depth of ${deepestNesting}`;
    if (values > mostValues) return `more than ${mostValues} values`;
  }
  return undefined;
}
