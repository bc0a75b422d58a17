import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { parseJson } from "../../../api/parse-json.ts";
import type { ListStructure } from "./field-structure.ts";

/** The element that identifies an item of a list, or why there is none. */
export type ItemElement =
  | { readonly ok: true; readonly element: string }
  | { readonly ok: false; readonly why: string };

const refused = (why: string): ItemElement => ({ ok: false, why });

/** Returns the path element of an item in a list that is not atomic: from its keys, or from its value in a set. */
export function itemElement({ keys }: ListStructure, item: Json): ItemElement {
  if (keys.length === 0) return setElement(item);
  if (item === null) return refused("associative list with keys may not have a null element");
  if (!isJsonObject(item)) return refused("associative list with keys may not have non-map elements");
  let text = "";
  // Written by hand, because it runs for every item of every write.
  for (const { name, quoted, default: otherwise } of keys) {
    const value = item[name] ?? otherwise;
    if (value !== undefined) text += `${text === "" ? "" : ","}${quoted}:${JSON.stringify(value)}`;
  }
  if (text !== "") return { ok: true, element: `k:{${text}}` };
  const names = keys.map(({ name }) => JSON.stringify(name)).join(" ");
  return refused(
    `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  );
}

function setElement(item: Json): ItemElement {
  if (item === null) return refused("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item)) return refused("not supported: associative list with lists as elements");
  if (typeof item === "object")
    return refused("associative list without keys has an element that's a map type");
  return { ok: true, element: `v:${JSON.stringify(item)}` };
}

/**
 * Returns the items of a list by path element, in order; items without an element, which no valid object has, are left
 * out.
 */
export function itemsByElement(
  structure: ListStructure,
  list: readonly Json[],
): ReadonlyMap<string, readonly Json[]> {
  const items = new Map<string, Json[]>();
  for (const item of list) {
    const found = itemElement(structure, item);
    if (!found.ok) continue;
    const same = items.get(found.element);
    if (same === undefined) items.set(found.element, [item]);
    else same.push(item);
  }
  return items;
}

/** Formats an element for messages: `.spec`, `[name="app"]`, `[="x"]`, `[0]`. */
export function formatElement(element: string): string {
  const rest = element.slice(2);
  switch (element.slice(0, 2)) {
    case "k:": {
      const keys = Object.entries((parsed(rest) ?? {}) as JsonObject);
      return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(",")}]`;
    }
    case "v:":
      return `[=${rest}]`;
    case "i:":
      return `[${rest}]`;
    default:
      return `.${rest}`;
  }
}

/** Formats a path for messages. */
export function formatPath(path: readonly string[]): string {
  return path.map(formatElement).join("");
}

/** Returns the element in the canonical spelling of this server; `undefined` for an invalid one. */
export function canonicalElement(element: string): string | undefined {
  const rest = element.slice(2);
  switch (element.slice(0, 2)) {
    case "f:":
      return element;
    case "i:":
      return /^-?\d+$/.test(rest) ? element : undefined;
    case "k:": {
      const keys = parsed(rest);
      if (!isJsonObject(keys)) return undefined;
      const ordered = Object.entries(keys).sort(([left], [right]) => (left < right ? -1 : 1));
      return `k:${JSON.stringify(Object.fromEntries(ordered))}`;
    }
    case "v:": {
      const value = parsed(rest);
      return value === undefined ? undefined : `v:${JSON.stringify(value)}`;
    }
    default:
      return undefined;
  }
}

/** Parses the JSON of an element; `undefined` for text that is not JSON, which a client may send. */
function parsed(text: string): Json | undefined {
  const read = parseJson(text);
  return read.ok ? read.value : undefined;
}
