import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * Returns an object with the defaults of its schema. Fields that are null and must not be are removed, or get their
 * default; unchanged parts are shared with the input, and defaults with the schema.
 */
export function applyDefaults(object: JsonObject, schema: StructuralSchema): JsonObject {
  return withDefaults(object, schema) as JsonObject;
}

/** Returns a value with the defaults of its schema, inside it and in place of a null. */
export function withDefaults(value: Json, schema: StructuralSchema | undefined): Json {
  if (Array.isArray(value)) return listWithDefaults(value as readonly Json[], schema);
  return isJsonObject(value) ? fieldsWithDefaults(value, schema) : value;
}

function listWithDefaults(list: readonly Json[], schema: StructuralSchema | undefined): readonly Json[] {
  const items = schema?.items;
  if (items === undefined) return list;
  let isChanged = false;
  const defaulted = list.map((item) => {
    const made = withDefaults(isReplaced(item, items) ? (items.default ?? null) : item, items);
    isChanged ||= made !== item;
    return made;
  });
  return isChanged ? defaulted : list;
}

function fieldsWithDefaults(object: JsonObject, schema: StructuralSchema | undefined): JsonObject {
  if (schema === undefined) return object;
  const entries: [string, Json][] = [];
  let isChanged = false;
  for (const name of Object.keys(object)) {
    const value = object[name];
    const made = value === undefined ? undefined : fieldWithDefaults(value, schemaOfField(name, schema));
    isChanged ||= made !== value;
    if (made !== undefined) entries.push([name, made]);
  }
  for (const [name, property] of schema.properties) {
    if (property.default === undefined || Object.hasOwn(object, name)) continue;
    entries.push([name, withDefaults(property.default, property)]);
    isChanged = true;
  }
  return isChanged ? Object.fromEntries(entries) : object;
}

/** Returns the value of a field with its defaults; `undefined` if the field goes. */
function fieldWithDefaults(value: Json, schema: StructuralSchema | undefined): Json | undefined {
  if (!isReplaced(value, schema)) return withDefaults(value, schema);
  return schema?.default === undefined ? undefined : withDefaults(schema.default, schema);
}

function isReplaced(value: Json, schema: StructuralSchema | undefined): boolean {
  return value === null && schema !== undefined && !schema.nullable;
}

/** Returns the schema of a field of an object, if it has one. */
export function schemaOfField(name: string, schema: StructuralSchema): StructuralSchema | undefined {
  const property = schema.properties.get(name);
  if (property !== undefined) return property;
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}
