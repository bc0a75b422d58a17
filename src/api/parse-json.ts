import { duplicateFields, endOfString } from "./duplicate-fields.ts";
import type { Json } from "./json.ts";

/** Deeper than any API object by far, and shallow enough for every walk over it to be a plain recursion. */
export const deepestNesting = 256;

export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: Json;
      /** `duplicate field "spec.replicas"`, when asked for; the last of them is in the value. */
      readonly duplicates: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

/** Reads a JSON text that may come from anybody; what is not JSON or nests absurdly is an error, not an exception. */
export function parseJson(text: string, { reportDuplicates = false } = {}): ParsedJson {
  // First, because JSON.parse itself takes a second for a megabyte of brackets.
  if (nestsTooDeep(text)) return { ok: false, error: `exceeded max depth of ${deepestNesting}` };
  try {
    const value = JSON.parse(text) as Json;
    return { ok: true, value, duplicates: reportDuplicates ? duplicateFields(text) : [] };
  } catch (error) {
    return { ok: false, error: `invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    // The brackets and braces differ only in this bit: 5b/7b open, 5d/7d close.
    else if ((code | 0x20) === 0x7b) depth += 1;
    else if ((code | 0x20) === 0x7d) depth -= 1;
    if (depth > deepestNesting) return true;
  }
  return false;
}
