import { deepEqual } from "../../api/deep-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import {
  fieldOf,
  itemSchemaOf,
  type ListMergeSchema,
  listMergeOf,
  type SchemaCursor,
} from "./merge-schema.ts";

/** What was applied before, what is applied now, and what the server has. */
export interface ThreeStates {
  readonly original: JsonObject;
  readonly modified: JsonObject;
  readonly current: JsonObject;
}

/**
 * The patch that makes the server's object as it is applied now: it adds and changes what differs, removes what was
 * applied before and is not any more, and leaves the rest to others. Without a schema it is a JSON merge patch.
 */
export function threeWayPatch(
  { original, modified, current }: ThreeStates,
  schema: SchemaCursor | undefined,
): JsonObject {
  const patch: Record<string, Json> = {};
  for (const [key, value] of Object.entries(modified))
    if (value !== undefined)
      Object.assign(
        patch,
        fieldPatch(key, { original: original[key], modified: value, current: current[key] }, schema),
      );
  for (const key of Object.keys(original))
    if (modified[key] === undefined && current[key] !== undefined) patch[key] = null;
  return patch;
}

interface Field {
  readonly original: Json | undefined;
  readonly modified: Json;
  readonly current: Json | undefined;
}

function fieldPatch(key: string, states: Field, schema: SchemaCursor | undefined): JsonObject {
  const { original, modified, current } = states;
  const field = schema && fieldOf(schema, key);
  if (isJsonObject(modified) && isJsonObject(current)) {
    const inner = threeWayPatch({ original: objectOr(original), modified, current }, field);
    return Object.keys(inner).length === 0 ? {} : { [key]: inner };
  }
  const merged = field && mergedList(key, states, field);
  if (merged !== undefined) return merged;
  return deepEqual(modified, current) ? {} : { [key]: modified };
}

const objectOr = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The patch of a list that the server merges; nothing for other values. */
function mergedList(
  key: string,
  { original, modified, current }: Field,
  field: SchemaCursor,
): JsonObject | undefined {
  if (!Array.isArray(modified) || !Array.isArray(current)) return undefined;
  const merge = listMergeOf(field);
  if (merge.by === "nothing") return undefined;
  const before = Array.isArray(original) ? (original as readonly Json[]) : [];
  return listPatch(key, { original: before, modified, current, merge, items: itemSchemaOf(field) });
}

interface Lists {
  readonly original: readonly Json[];
  readonly modified: readonly Json[];
  readonly current: readonly Json[];
  readonly merge: ListMergeSchema;
  readonly items: SchemaCursor;
}

function listPatch(key: string, lists: Lists): JsonObject {
  return lists.merge.by === "key" ? keyedPatch(key, lists, lists.merge.key) : valuesPatch(key, lists);
}

function valuesPatch(key: string, { original, modified, current }: Lists): JsonObject {
  const added = modified.filter((value) => !current.includes(value));
  const removed = original.filter((value) => !modified.includes(value) && current.includes(value));
  return {
    ...(added.length > 0 && { [key]: added }),
    ...(removed.length > 0 && { [`$deleteFromPrimitiveList/${key}`]: removed }),
    ...(added.length + removed.length > 0 && { [`$setElementOrder/${key}`]: modified }),
  };
}

function keyedPatch(
  key: string,
  { original, modified, current, items }: Lists,
  mergeKey: string,
): JsonObject {
  const keyOf = (item: Json) => (isJsonObject(item) ? item[mergeKey] : undefined);
  const found = (list: readonly Json[], id: Json | undefined) => list.find((item) => keyOf(item) === id);
  const patches = modified.flatMap((item): readonly Json[] => {
    const id = keyOf(item);
    const known = found(current, id);
    if (!isJsonObject(item) || id === undefined || !isJsonObject(known)) return [item];
    const before = found(original, id);
    const inner = threeWayPatch(
      { original: isJsonObject(before) ? before : {}, modified: item, current: known },
      items,
    );
    return Object.keys(inner).length === 0 ? [] : [{ ...inner, [mergeKey]: id }];
  });
  const removed = original
    .map(keyOf)
    .filter((id) => id !== undefined && found(modified, id) === undefined && found(current, id) !== undefined)
    .map((id): Json => ({ $patch: "delete", [mergeKey]: id }));
  const all = [...patches, ...removed];
  if (all.length === 0) return {};
  const order = modified.map((item): Json => ({ [mergeKey]: keyOf(item) }));
  return { [key]: all, [`$setElementOrder/${key}`]: order };
}
