import { formatFieldPath } from "../../../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** An object without the fields that its schema does not have. */
export interface Pruned<T extends Json> {
  readonly value: T;
  /** The paths of the fields that were removed, such as `spec.l[0].b`, sorted; a hundred at most. */
  readonly unknownFields: readonly string[];
}

/** The fields that every object and every embedded object has. */
export const metaFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

const mostUnknown = 100;

interface Walk {
  readonly path: (string | number)[];
  readonly unknown: string[];
}

/** Removes the fields of an object that its schema does not have; its apiVersion, kind and metadata stay. */
export function pruneObject(object: JsonObject, schema: StructuralSchema): Pruned<JsonObject> {
  return pruneValue(object, schema.embeddedResource ? schema : { ...schema, embeddedResource: true });
}

/** Removes the fields of a value that its schema does not have; unchanged parts are shared with the input. */
export function pruneValue<T extends Json>(value: T, schema: StructuralSchema | undefined): Pruned<T> {
  const walk: Walk = { path: [], unknown: [] };
  const pruned = prune(value, schema, walk) as T;
  return { value: pruned, unknownFields: walk.unknown.sort() };
}

function prune(value: Json, schema: StructuralSchema | undefined, walk: Walk): Json {
  if (Array.isArray(value)) return pruneList(value as readonly Json[], schema, walk);
  return isJsonObject(value) ? pruneFields(value, schema, walk) : value;
}

function pruneList(list: readonly Json[], schema: StructuralSchema | undefined, walk: Walk): readonly Json[] {
  // A list whose own fields are kept keeps those of its items as well, unless the items have a schema of their own.
  const keepsAll = schema?.preserveUnknownFields === true;
  if (keepsAll && schema?.items === undefined) return list;
  const items =
    keepsAll && schema?.items !== undefined
      ? { ...schema.items, preserveUnknownFields: true }
      : schema?.items;
  let isChanged = false;
  const pruned = list.map((item, index) => {
    walk.path.push(index);
    const kept = prune(item, items, walk);
    walk.path.pop();
    isChanged ||= kept !== item;
    return kept;
  });
  return isChanged ? pruned : list;
}

function pruneFields(object: JsonObject, schema: StructuralSchema | undefined, walk: Walk): JsonObject {
  const entries: [string, Json | undefined][] = [];
  let isChanged = false;
  for (const name of Object.keys(object)) {
    const value = object[name];
    const kept = keepField(name, schema);
    if (kept === false) {
      noteUnknown(name, walk);
      isChanged = true;
      continue;
    }
    walk.path.push(name);
    const pruned = kept === true || value === undefined ? value : prune(value, kept.schema, walk);
    walk.path.pop();
    isChanged ||= pruned !== value;
    entries.push([name, pruned]);
  }
  // Unlike an assignment this makes `__proto__` a key like any other.
  return isChanged ? Object.fromEntries(entries) : object;
}

/** Whether a field stays as it is, goes, or stays and is pruned by a schema; without one it loses all fields. */
function keepField(
  name: string,
  schema: StructuralSchema | undefined,
): boolean | { readonly schema: StructuralSchema | undefined } {
  if (schema === undefined) return false;
  if (schema.embeddedResource && metaFields.has(name)) return true;
  const property = schema.properties.get(name);
  if (property !== undefined) return { schema: property };
  const { additionalProperties } = schema;
  if (additionalProperties === undefined) return schema.preserveUnknownFields;
  return { schema: typeof additionalProperties === "boolean" ? undefined : additionalProperties };
}

function noteUnknown(name: string, walk: Walk): void {
  if (walk.unknown.length >= mostUnknown) return;
  walk.unknown.push(formatFieldPath([...walk.path, name]));
}
