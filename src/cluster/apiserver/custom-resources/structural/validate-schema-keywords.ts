import { type FieldError, forbidden, invalid, notSupported } from "../../../../api/field-error.ts";
import { isJsonObject, type Json } from "../../../../api/json.ts";
import { checkListKeywords } from "./check-list-keywords.ts";
import { checkRules } from "./check-rules.ts";
import { metaFields } from "./prune.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** Where a schema is, as far as it decides what the schema may have. */
interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  readonly isInMetadata: boolean;
  /** Why there must be no defaults, if so. */
  readonly noDefaults: string | undefined;
}

/** Reports keywords that no schema of a kind may have, or not in this combination. */
export function validateSchemaKeywords(schema: StructuralSchema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  check(schema, { path, isRoot: true, isInMetadata: false, noDefaults: undefined }, errors);
  return errors;
}

function check(schema: StructuralSchema, place: Place, errors: FieldError[]): void {
  checkUnsupported(schema, place, errors);
  checkAdditional(schema, place, errors);
  for (const [name, property] of schema.properties)
    check(property, propertyPlace(name, schema, place), errors);
  for (const [branch, step] of branchesOf(schema))
    check(branch, { ...place, isRoot: false, path: `${place.path}.${step}` }, errors);
  if (schema.items !== undefined)
    check(schema.items, { ...place, isRoot: false, path: `${place.path}.items` }, errors);
  checkListKeywords(schema, place.path, errors);
  checkRules(schema, place.path, errors);
}

function propertyPlace(name: string, schema: StructuralSchema, place: Place): Place {
  const inner = { ...place, isRoot: false, path: `${place.path}.properties[${name}]` };
  if (!metaFields.has(name) || !(place.isRoot || schema.embeddedResource)) return inner;
  const noDefaults = place.isRoot ? `in top-level ${name}` : place.noDefaults;
  return { ...inner, isInMetadata: true, noDefaults };
}

function* branchesOf(schema: StructuralSchema): Generator<readonly [StructuralSchema, string]> {
  if (schema.not !== undefined) yield [schema.not, "not"];
  for (const keyword of ["allOf", "oneOf", "anyOf"] as const)
    for (const [index, branch] of schema[keyword].entries()) yield [branch, `${keyword}[${index}]`];
}

const types = new Set(["array", "boolean", "integer", "number", "object", "string"]);
const unsupported = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"];

function checkUnsupported(schema: StructuralSchema, place: Place, errors: FieldError[]): void {
  const { path, noDefaults, isInMetadata } = place;
  const { source } = schema;
  if (schema.default !== undefined && noDefaults !== undefined)
    errors.push(forbidden(`${path}.default`, `must not be set ${noDefaults}`));
  for (const keyword of unsupported)
    if (isGiven(source[keyword])) errors.push(forbidden(`${path}.${keyword}`, `${keyword} is not supported`));
  if (Array.isArray(source["items"]))
    errors.push(forbidden(`${path}.items`, "items must be a schema object and not an array"));
  if (isInMetadata && schema.embeddedResource)
    errors.push(
      forbidden(`${path}.x-kubernetes-embedded-resource`, "must not be used inside of resource meta"),
    );
  checkTypeName(source["type"], `${path}.type`, errors);
  checkFlags(schema, path, errors);
}

function checkTypeName(type: Json | undefined, field: string, errors: FieldError[]): void {
  if (typeof type !== "string" || type === "" || types.has(type)) return;
  errors.push(notSupported(field, type, [...types]));
  if (type === "null")
    errors.push(forbidden(field, "type cannot be set to null, use nullable as an alternative"));
}

function checkFlags({ uniqueItems, source }: StructuralSchema, path: string, errors: FieldError[]): void {
  if (uniqueItems) {
    const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(forbidden(`${path}.uniqueItems`, detail));
  }
  if (source["x-kubernetes-preserve-unknown-fields"] === false)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"));
}

function isGiven(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return false;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

function checkAdditional(schema: StructuralSchema, place: Place, errors: FieldError[]): void {
  const { additionalProperties, properties } = schema;
  if (additionalProperties === undefined) return;
  const path = `${place.path}.additionalProperties`;
  if (properties.size > 0 && additionalProperties !== true)
    errors.push(forbidden(path, "additionalProperties and properties are mutual exclusive"));
  if (typeof additionalProperties !== "object") return;
  const reason = "inside additionalProperties applying to object metadata";
  const noDefaults = place.isInMetadata ? reason : place.noDefaults;
  check(additionalProperties, { ...place, path, isRoot: false, noDefaults }, errors);
}
