import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import type { SchemaRule, SchemaType, StructuralSchema } from "./structural-schema.ts";

const schemaTypes: ReadonlySet<unknown> = new Set<SchemaType>([
  "object",
  "array",
  "string",
  "integer",
  "number",
  "boolean",
]);

/**
 * Reads a schema from the JSON of `JSONSchemaProps`. It accepts any JSON: what is no schema reads as the empty schema, and
 * `validateStructuralSchema` reports what is not structural.
 */
export function readStructuralSchema(value: Json | undefined): StructuralSchema {
  const source = isJsonObject(value) ? value : {};
  const given = source["default"];
  return {
    type: schemaTypes.has(source["type"]) ? (source["type"] as SchemaType) : undefined,
    format: textOf(source["format"]),
    nullable: source["nullable"] === true,
    default: given === null ? undefined : given,
    properties: propertiesOf(source["properties"]),
    additionalProperties: schemaOrBool(source["additionalProperties"]),
    items: schemaIn(source["items"]),
    ...extensionsOf(source),
    ...boundsOf(source),
    required: textsOf(source["required"]),
    enum: listOf(source["enum"]),
    allOf: branchesOf(source["allOf"]),
    anyOf: branchesOf(source["anyOf"]),
    oneOf: branchesOf(source["oneOf"]),
    not: schemaIn(source["not"]),
    source,
  };
}

type Extensions = Pick<
  StructuralSchema,
  | "preserveUnknownFields"
  | "embeddedResource"
  | "intOrString"
  | "listType"
  | "listMapKeys"
  | "mapType"
  | "rules"
>;

function extensionsOf(source: JsonObject): Extensions {
  const listType = source["x-kubernetes-list-type"];
  const mapType = source["x-kubernetes-map-type"];
  return {
    preserveUnknownFields: source["x-kubernetes-preserve-unknown-fields"] === true,
    embeddedResource: source["x-kubernetes-embedded-resource"] === true,
    intOrString: source["x-kubernetes-int-or-string"] === true,
    listType: listType === "atomic" || listType === "set" || listType === "map" ? listType : undefined,
    listMapKeys: textsOf(source["x-kubernetes-list-map-keys"]),
    mapType: mapType === "granular" || mapType === "atomic" ? mapType : undefined,
    rules: rulesOf(source["x-kubernetes-validations"]),
  };
}

type Bounds = Pick<
  StructuralSchema,
  | "maximum"
  | "exclusiveMaximum"
  | "minimum"
  | "exclusiveMinimum"
  | "multipleOf"
  | "maxLength"
  | "minLength"
  | "pattern"
  | "maxItems"
  | "minItems"
  | "uniqueItems"
  | "maxProperties"
  | "minProperties"
>;

function boundsOf(source: JsonObject): Bounds {
  return {
    maximum: numberOf(source["maximum"]),
    exclusiveMaximum: source["exclusiveMaximum"] === true,
    minimum: numberOf(source["minimum"]),
    exclusiveMinimum: source["exclusiveMinimum"] === true,
    multipleOf: numberOf(source["multipleOf"]),
    maxLength: numberOf(source["maxLength"]),
    minLength: numberOf(source["minLength"]),
    pattern: textOf(source["pattern"]),
    maxItems: numberOf(source["maxItems"]),
    minItems: numberOf(source["minItems"]),
    uniqueItems: source["uniqueItems"] === true,
    maxProperties: numberOf(source["maxProperties"]),
    minProperties: numberOf(source["minProperties"]),
  };
}

function propertiesOf(value: Json | undefined): ReadonlyMap<string, StructuralSchema> {
  const properties = new Map<string, StructuralSchema>();
  if (!isJsonObject(value)) return properties;
  for (const name of Object.keys(value)) properties.set(name, readStructuralSchema(value[name]));
  return properties;
}

function schemaOrBool(value: Json | undefined): StructuralSchema | boolean | undefined {
  return typeof value === "boolean" ? value : schemaIn(value);
}

function schemaIn(value: Json | undefined): StructuralSchema | undefined {
  return isJsonObject(value) ? readStructuralSchema(value) : undefined;
}

function branchesOf(value: Json | undefined): readonly StructuralSchema[] {
  return (listOf(value) ?? []).map(readStructuralSchema);
}

function rulesOf(value: Json | undefined): readonly SchemaRule[] {
  return (listOf(value) ?? []).filter(isJsonObject).map((rule) => ({
    rule: textOf(rule["rule"]) ?? "",
    message: textOf(rule["message"]),
    messageExpression: textOf(rule["messageExpression"]),
    reason: textOf(rule["reason"]),
    fieldPath: textOf(rule["fieldPath"]),
    optionalOldSelf: rule["optionalOldSelf"] === true ? true : undefined,
  }));
}

/** An empty text is an absent one, as in Kubernetes. */
function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function textsOf(value: Json | undefined): readonly string[] {
  return (listOf(value) ?? []).filter((item) => typeof item === "string");
}

function listOf(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) ? (value as readonly Json[]) : undefined;
}
