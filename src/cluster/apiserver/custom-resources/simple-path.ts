import type { Json } from "../../../api/json.ts";
import { namesInPath, valueAtPath } from "../../../api/value-at-path.ts";
import { schemaOfField } from "./structural/apply-defaults.ts";
import type { StructuralSchema } from "./structural/structural-schema.ts";

/** Returns the schema at a simple path, if there is one. */
export function schemaAtPath(schema: StructuralSchema, path: string): StructuralSchema | undefined {
  const names = namesInPath(path);
  let found: StructuralSchema | undefined = names === undefined ? undefined : schema;
  for (const name of names ?? []) found = found && schemaOfField(name, found);
  return found;
}

/** Returns the value of a selectable field as field selectors compare it: as text, empty if absent. */
export function selectableText(object: Json, path: string): string {
  const value = valueAtPath(object, path);
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}
