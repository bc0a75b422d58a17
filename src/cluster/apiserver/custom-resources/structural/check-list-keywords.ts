import { type FieldError, forbidden, invalid, notSupported, required } from "../../../../api/field-error.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const listTypeKey = "x-kubernetes-list-type";
const mapTypeKey = "x-kubernetes-map-type";
const listMapKeysKey = "x-kubernetes-list-map-keys";

/** Reports list types, map types and keys of lists that do not fit the schema they are in. */
export function checkListKeywords(schema: StructuralSchema, path: string, errors: FieldError[]): void {
  const { source } = schema;
  if (source[mapTypeKey] !== undefined) checkTypeKeyword(schema, path, { keyword: mapTypeKey, errors });
  if (source[listTypeKey] !== undefined) checkTypeKeyword(schema, path, { keyword: listTypeKey, errors });
  if (schema.listType === "set") checkSetItems(schema, path, errors);
  if (schema.listMapKeys.length > 0 && source[listTypeKey] !== "map") {
    const detail = `must be map if ${listMapKeysKey} is non-empty`;
    const field = `${path}.${listTypeKey}`;
    const given = source[listTypeKey];
    errors.push(given === undefined ? required(field, detail) : invalid(field, given, detail));
  }
  if (schema.listType === "map") checkListMap(schema, path, errors);
}

const facts = {
  [mapTypeKey]: { type: "object", values: ["atomic", "granular"] },
  [listTypeKey]: { type: "array", values: ["atomic", "set", "map"] },
} as const;

function checkTypeKeyword(
  { source }: StructuralSchema,
  path: string,
  { keyword, errors }: { readonly keyword: keyof typeof facts; readonly errors: FieldError[] },
): void {
  const { type, values } = facts[keyword];
  const given = source["type"];
  const detail = `must be ${type} if ${keyword} is specified`;
  if (given === undefined || given === "") errors.push(required(`${path}.type`, detail));
  else if (given !== type) errors.push(invalid(`${path}.type`, given, detail));
  const value = source[keyword];
  if (!values.some((each) => each === value)) errors.push(notSupported(`${path}.${keyword}`, value, values));
}

function checkSetItems({ type, items }: StructuralSchema, path: string, errors: FieldError[]): void {
  if (type !== "array" || items === undefined) return;
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const listType = items.source[listTypeKey] ?? null;
  if (items.type === "array" && listType !== null && listType !== "atomic")
    errors.push(invalid(`${path}.items.${listTypeKey}`, listType, detail));
  if (items.type === "object" && items.mapType !== "atomic")
    errors.push(invalid(`${path}.items.${mapTypeKey}`, listType, detail));
  if (items.nullable)
    errors.push(forbidden(`${path}.items.nullable`, "cannot be nullable when x-kubernetes-list-type is set"));
}

function checkListMap(schema: StructuralSchema, path: string, errors: FieldError[]): void {
  const { items, listMapKeys } = schema;
  if (listMapKeys.length === 0)
    errors.push(required(`${path}.${listMapKeysKey}`, "must not be empty if x-kubernetes-list-type is map"));
  if (items === undefined) {
    errors.push(required(`${path}.items`, "must have a schema if x-kubernetes-list-type is map"));
    return;
  }
  if (items.type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalid(`${path}.items.type`, items.source["type"] ?? "", detail));
  } else checkKeys(schema, items, { path, errors });
  if (items.nullable)
    errors.push(forbidden(`${path}.items.nullable`, "cannot be nullable when x-kubernetes-list-type is map"));
  checkKeyProperties(listMapKeys, items, { path, errors });
}

interface Report {
  readonly path: string;
  readonly errors: FieldError[];
}

function checkKeys(
  { listMapKeys }: StructuralSchema,
  items: StructuralSchema,
  { path, errors }: Report,
): void {
  const seen = new Set<string>();
  for (const key of listMapKeys) {
    const property = items.properties.get(key);
    if (property === undefined)
      errors.push(
        invalid(`${path}.${listMapKeysKey}`, listMapKeys, "entries must all be names of item properties"),
      );
    else if (property.type === "array" || property.type === "object") {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalid(`${path}.items.properties[${key}].type`, items.type, detail));
    }
    if (seen.has(key))
      errors.push(invalid(`${path}.${listMapKeysKey}`, listMapKeys, "must not contain duplicate entries"));
    seen.add(key);
  }
}

function checkKeyProperties(
  keys: readonly string[],
  items: StructuralSchema,
  { path, errors }: Report,
): void {
  const always = new Set(items.required);
  const subject = "this property is in x-kubernetes-list-map-keys, so it";
  for (const key of keys) {
    const property = items.properties.get(key);
    if (property === undefined) continue;
    const field = `${path}.items.properties[${key}]`;
    if (!always.has(key) && property.default === undefined)
      errors.push(required(`${field}.default`, `${subject} must have a default or be a required property`));
    if (property.nullable) errors.push(forbidden(`${field}.nullable`, `${subject} cannot be nullable`));
  }
}
