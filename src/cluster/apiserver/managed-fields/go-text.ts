import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";

// Messages of kube-apiserver show values as Go prints them, and people search for these texts.

/** Returns a value as Go prints it plainly: `map[a:1]`. */
export function plainText(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(plainText).join(" ")}]`;
  if (!isJsonObject(value)) return typeof value === "string" ? value : JSON.stringify(value);
  return `map[${sortedEntries(value)
    .map(([name, member]) => `${name}:${plainText(member)}`)
    .join(" ")}]`;
}

/** Returns a value as Go writes it in programs: `map[string]interface {}{"a":1}`. */
export function sourceText(value: Json): string {
  if (value === null) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${(value as readonly Json[]).map(sourceText).join(", ")}}`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `map[string]interface {}{${sortedEntries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${sourceText(member)}`)
    .join(", ")}}`;
}

/** Returns the type that Go gives to a value that was read from JSON. */
export function typeText(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "map[string]interface {}";
}

function sortedEntries(object: JsonObject): readonly (readonly [string, Json])[] {
  return Object.keys(object)
    .toSorted()
    .map((name) => [name, object[name] ?? null] as const);
}
