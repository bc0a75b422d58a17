import { isJsonObject, type Json, type JsonObject } from "../../src/api/json.ts";

/** A field that an entry of `managedFields` names: the elements of `fieldsV1` that lead to it. */
export type FieldPath = readonly string[];

/** The paths of a `fieldsV1`, those of the items themselves (`.`) among them. */
export function pathsIn(fields: JsonObject, before: FieldPath = []): readonly FieldPath[] {
  return Object.entries(fields).flatMap(([element, below]) => {
    if (element === ".") return [before];
    const path = [...before, element];
    const inner = isJsonObject(below) ? pathsIn(below, path) : [];
    return inner.length === 0 ? [path] : inner;
  });
}

/** What an object has at a path, found without a schema; `undefined` where it has nothing. */
export function valueAt(object: Json | undefined, path: FieldPath): Json | undefined {
  let value = object;
  for (const element of path) value = memberOf(value, element);
  return value;
}

function memberOf(value: Json | undefined, element: string): Json | undefined {
  const rest = element.slice(2);
  if (element.startsWith("f:")) return isJsonObject(value) ? value[rest] : undefined;
  if (!Array.isArray(value)) return undefined;
  const wanted = JSON.parse(rest) as Json;
  return (value as readonly Json[]).find((item) =>
    element.startsWith("k:") ? hasKeys(item, wanted as JsonObject) : item === wanted,
  );
}

/** A port without a protocol is one of TCP: of all keys of lists, the protocol alone has a default. */
function hasKeys(item: Json, keys: JsonObject): boolean {
  const complete: JsonObject = isJsonObject(item) ? { protocol: "TCP", ...item } : {};
  return Object.entries(keys).every(([name, value]) => complete[name] === value);
}

/** The leaves of an object that none of the fields covers, as readable paths. */
export function uncovered(value: Json, fields: JsonObject | undefined, at = ""): readonly string[] {
  if (fields === undefined) return [at];
  // Named as a whole: atomic, or a leaf.
  if (Object.keys(fields).length === 0) return [];
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, member]) =>
      uncovered(member ?? null, below(fields, `f:${name}`), `${at}.${name}`),
    );
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item, index) => {
    const element = Object.keys(fields).find((each) => each !== "." && memberOf([item], each) !== undefined);
    return uncovered(item, element === undefined ? undefined : below(fields, element), `${at}[${index}]`);
  });
}

function below(fields: JsonObject, element: string): JsonObject | undefined {
  const found = fields[element];
  return isJsonObject(found) ? found : undefined;
}
