import { isJsonObject, type Json } from "../../../api/json.ts";
import { schemaOfField } from "./structural/apply-defaults.ts";
import type { StructuralSchema } from "./structural/structural-schema.ts";

/** Returns the names of a path such as `.spec.replicas`; `undefined` if it is no simple path. */
function namesIn(path: string): readonly string[] | undefined {
  if (!path.startsWith(".") || path.includes("[")) return undefined;
  const names = path.slice(1).split(".");
  return names.includes("") ? undefined : names;
}

/** Returns the value at a simple path of an object, if there is one. */
export function valueAtPath(object: Json, path: string): Json | undefined {
  let value: Json | undefined = object;
  for (const name of namesIn(path) ?? []) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return namesIn(path) === undefined ? undefined : value;
}

/** Returns the schema at a simple path, if there is one. */
export function schemaAtPath(schema: StructuralSchema, path: string): StructuralSchema | undefined {
  const names = namesIn(path);
  let found: StructuralSchema | undefined = names === undefined ? undefined : schema;
  for (const name of names ?? []) found = found && schemaOfField(name, found);
  return found;
}

/** Returns the value of a selectable field as field selectors compare it: as text, empty if absent. */
export function selectableText(object: Json, path: string): string {
  const value = valueAtPath(object, path);
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}
