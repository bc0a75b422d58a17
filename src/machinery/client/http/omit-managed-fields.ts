import type { StoredObject } from "../../../api/object.ts";

/** Includes the start of the first entry, because an empty list ends differently. */
const opening = ',"managedFields":[{';

/**
 * Parses the JSON of an object without its managed fields, which make up a third of a Pod. Parses them too if it does
 * not find them in the text.
 */
export function parseWithoutManagedFields(text: string): unknown {
  const trimmed = cutManagedFields(text);
  if (trimmed === undefined) return JSON.parse(text);
  try {
    return JSON.parse(trimmed);
  } catch {
    return JSON.parse(text); // the cut ended inside a string
  }
}

/**
 * Cuts managed fields out of the text of an object. Quotation marks within strings are escaped, so no string contains
 * the opening. A string may contain the end; the remaining text then starts inside that string and is not valid JSON.
 */
function cutManagedFields(text: string): string | undefined {
  const start = text.indexOf(opening);
  if (start === -1 || !isInMetadata(text, start)) return undefined;
  const end = endOfEntries(text, start + opening.length);
  return end === undefined ? undefined : text.slice(0, start) + text.slice(end);
}

/** An object, or the event that contains it, up to its metadata, in the order in which API servers write them. */
const beforeMetadata =
  /^(?:\{"type":"[A-Z]+","object":)?\{(?:"(?:kind|apiVersion)":"[^"\\]*",)*"metadata":\{/;

/** Whether a member is one of the object's own metadata: a Pod template has metadata, too, and data may have any member. */
function isInMetadata(text: string, position: number): boolean {
  const before = beforeMetadata.exec(text);
  if (before === null) return false;
  let depth = 0;
  for (let at = before[0].length; at < position; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth < 0) return false;
  }
  return depth === 0;
}

/** Returns the index at which the string that starts here ends. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, position: number): boolean {
  let backslashes = 0;
  while (text[position - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** Entries are objects, and field sets have no arrays: the first array that ends is that of the entries. */
function endOfEntries(text: string, from: number): number | undefined {
  // Searched by its rarer character: field sets are full of the other.
  for (let at = text.indexOf("]", from); at !== -1; at = text.indexOf("]", at + 1)) {
    const next = text[at + 1];
    if (text[at - 1] === "}" && (next === "}" || next === ",")) return at + 1;
  }
  return undefined;
}

/** The object without managed fields; the same if there are none. */
export function dropManagedFields<T extends StoredObject>(object: T): T {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}
