import { base64Bytes } from "../../../../api/base64.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import type { StructuralSchema } from "../../custom-resources/structural/structural-schema.ts";
import { escapeName } from "../types/escape-name.ts";
import { Bytes, CelError, type CelList, type CelMap, type CelValue } from "./cel-value.ts";
import { parseDuration, parseTimestamp } from "./time-text.ts";

/** Returns JSON as a value of CEL, by its schema; without one, numbers are ints if they are whole. */
export function celValueOf(json: Json, schema?: StructuralSchema): CelValue {
  if (json === null || typeof json === "boolean") return json;
  if (typeof json === "string") return textOf(json, schema);
  if (typeof json === "number") return numberOf(json, schema);
  // upstream: a list passes for a text that has a format, except in rules.
  if (Array.isArray(json) && schema?.type === "string" && !schema.intOrString)
    return new CelError("invalid data, expected string, got []interface {}");
  if (Array.isArray(json)) return listOfJson(json as readonly Json[], schema);
  return mapOfJson(json as JsonObject, schema);
}

function numberOf(number: number, schema: StructuralSchema | undefined): CelValue {
  const isDouble = schema?.type === "number" && !schema.intOrString;
  return !isDouble && Number.isInteger(number) ? BigInt(number) : number;
}

function textOf(text: string, schema: StructuralSchema | undefined): CelValue {
  if (schema === undefined || schema.intOrString) return text;
  return formats[schema.format ?? ""]?.(text) ?? text;
}

/** Formats whose texts are values of other types. */
const formats: Readonly<Record<string, (text: string) => CelValue>> = {
  byte: (text) => new Bytes(base64Bytes(text)),
  duration: (text) => parseDuration(text) ?? new CelError(`Invalid duration ${text}`),
  date: (text) =>
    parseTimestamp(`${text}T00:00:00Z`) ?? new CelError(`Invalid date formatted string ${text}`),
  "date-time": (text) => parseTimestamp(text) ?? new CelError(`Invalid date-time formatted string ${text}`),
};

function listOfJson(items: readonly Json[], schema: StructuralSchema | undefined): CelList {
  const made: CelValue[] = [];
  return {
    kind: "list",
    size: items.length,
    at: (index) => (made[index] ??= celValueOf(items[index] ?? null, schema?.items)),
    identity: identityOf(schema),
    source: items,
    isTyped: schema !== undefined,
  };
}

function identityOf(schema: StructuralSchema | undefined): CelList["identity"] {
  if (schema?.listType === "set") return "set";
  return schema?.listType === "map" ? schema.listMapKeys : undefined;
}

function mapOfJson(object: JsonObject, schema: StructuralSchema | undefined): CelMap {
  if (schema === undefined || schema.intOrString) return untypedMap(object, undefined);
  const { additionalProperties } = schema;
  if (typeof additionalProperties === "object") return untypedMap(object, additionalProperties);
  return fieldsOf(object, schema.embeddedResource ? withObjectMeta(schema) : schema);
}

function untypedMap(object: JsonObject, values: StructuralSchema | undefined): CelMap {
  const keys = Object.keys(object);
  return {
    kind: "map",
    size: keys.length,
    keys: () => keys,
    get(key) {
      const value = typeof key === "string" && Object.hasOwn(object, key) ? object[key] : undefined;
      return value === undefined ? undefined : celValueOf(value, values);
    },
    source: object,
    isTyped: values !== undefined,
  };
}

function fieldsOf(object: JsonObject, schema: StructuralSchema): CelMap {
  const { properties, escaped } = fieldNames(schema);
  // A field that is null counts as absent.
  const names = Object.keys(object).filter((name) => object[name] !== null && object[name] !== undefined);
  return {
    kind: "map",
    typeName: "object",
    size: names.length,
    keys: () => names.map((name) => escaped.get(name) ?? name),
    get(key) {
      if (typeof key !== "string") return undefined;
      const name = properties.get(key) ?? key;
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      return value === undefined || value === null
        ? undefined
        : celValueOf(value, schema.properties.get(name));
    },
    source: object,
    isTyped: true,
  };
}

/** The names of fields by those that rules use, and the other way round. */
interface FieldNames {
  readonly properties: ReadonlyMap<string, string>;
  readonly escaped: ReadonlyMap<string, string>;
}

const knownNames = new WeakMap<StructuralSchema, FieldNames>();

function fieldNames(schema: StructuralSchema): FieldNames {
  const known = knownNames.get(schema);
  if (known !== undefined) return known;
  const pairs = [...schema.properties.keys()].map((name) => [name, escapeName(name) ?? name] as const);
  const names = { escaped: new Map(pairs), properties: new Map(pairs.map(([name, text]) => [text, name])) };
  knownNames.set(schema, names);
  return names;
}

const withMeta = new WeakMap<StructuralSchema, StructuralSchema>();

/** Adds the fields that rules at the root of a resource can read besides those of the schema. */
export function withObjectMeta(schema: StructuralSchema): StructuralSchema {
  const known = withMeta.get(schema);
  if (known !== undefined) return known;
  const text: StructuralSchema = { ...emptySchema, type: "string" };
  const names = new Map([
    ["name", text],
    ["generateName", text],
  ]);
  const metadata: StructuralSchema = { ...emptySchema, type: "object", properties: names };
  const own = new Map([
    ["kind", text],
    ["apiVersion", text],
    ["metadata", metadata],
  ]);
  const extended = {
    ...schema,
    type: "object",
    properties: new Map([...schema.properties, ...own]),
  } as const;
  withMeta.set(schema, extended);
  return extended;
}

const emptySchema: StructuralSchema = {
  nullable: false,
  properties: new Map(),
  preserveUnknownFields: false,
  embeddedResource: false,
  intOrString: false,
  listMapKeys: [],
  rules: [],
  exclusiveMaximum: false,
  exclusiveMinimum: false,
  uniqueItems: false,
  required: [],
  allOf: [],
  anyOf: [],
  oneOf: [],
  source: {},
};

/** Returns a resource as a value: the root of a custom resource, or an embedded one. */
export function resourceValueOf(json: Json, schema: StructuralSchema): CelValue {
  return isJsonObject(json) ? fieldsOf(json, withObjectMeta(schema)) : celValueOf(json, schema);
}
