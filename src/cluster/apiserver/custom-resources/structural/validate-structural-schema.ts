import {
  type FieldError,
  forbidden,
  formatFieldError,
  invalid,
  required,
} from "../../../../api/field-error.ts";
import { compareText } from "../../../../api/compare-text.ts";
import { checkCompleteness } from "./check-completeness.ts";
import { checkNestedSchema, checkPattern, isIntOrStringChoice } from "./check-nested-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validateDefaults } from "./validate-defaults.ts";
import { validateSchemaKeywords } from "./validate-schema-keywords.ts";

/** Where a schema is: the root, the items of a list, or a field. */
type Level = "root" | "item" | "field";

interface Place {
  readonly level: Level;
  readonly path: string;
}

const emptyType: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/** Reports what keeps a schema of a kind from being structural, keywords that are not allowed, and invalid defaults. */
export function validateStructuralSchema(schema: StructuralSchema, path: string): readonly FieldError[] {
  const errors = structuralErrors(schema, path);
  const nullable = schema.nullable
    ? [forbidden(`${path}.nullable`, "nullable cannot be true at the root")]
    : [];
  const defaults = errors.length > 0 ? [] : validateDefaults(schema, path);
  return [...nullable, ...sorted(errors), ...defaults, ...validateSchemaKeywords(schema, path)];
}

/** upstream: errors of structure are sorted by their texts. */
function sorted(errors: readonly FieldError[]): readonly FieldError[] {
  return errors
    .map((error) => ({ error, text: formatFieldError(error) }))
    .sort((left, right) => compareText(left.text, right.text))
    .map(({ error }) => error);
}

/** Returns what keeps a schema from being structural, in no particular order. */
function structuralErrors(schema: StructuralSchema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  checkStructure(schema, { level: "root", path }, errors);
  checkCompleteness(schema, path, errors);
  return errors;
}

function checkStructure(schema: StructuralSchema, place: Place, errors: FieldError[]): void {
  const { path } = place;
  const { items, additionalProperties } = schema;
  if (schema.type === "array" && items === undefined)
    errors.push(required(`${path}.items`, "must be specified"));
  if (items !== undefined) checkStructure(items, { level: "item", path: `${path}.items` }, errors);
  for (const [name, property] of schema.properties)
    checkStructure(property, { level: "field", path: `${path}.properties[${name}]` }, errors);
  if (typeof additionalProperties === "object")
    checkStructure(additionalProperties, { level: "field", path: `${path}.additionalProperties` }, errors);
  checkAdditional(schema, place, errors);
  checkType(schema, place, errors);
  checkExtensions(schema, path, errors);
  checkMetadata(schema, place, errors);
  checkConditions(schema, path, errors);
}

function checkAdditional(schema: StructuralSchema, { level, path }: Place, errors: FieldError[]): void {
  if (schema.additionalProperties === undefined) return;
  const field = `${path}.additionalProperties`;
  if (level === "root") errors.push(forbidden(field, "must not be used at the root"));
  if (schema.embeddedResource)
    errors.push(forbidden(field, "must not be used if x-kubernetes-embedded-resource is set"));
}

function checkType(schema: StructuralSchema, { level, path }: Place, errors: FieldError[]): void {
  const field = `${path}.type`;
  const type = typeIn(schema);
  if (schema.embeddedResource && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? required(field, detail) : invalid(field, type, detail));
  } else if (type === "" && !schema.intOrString && !schema.preserveUnknownFields) {
    errors.push(required(field, emptyType[level]));
  }
  if (level === "root" && type !== "" && type !== "object")
    errors.push(invalid(field, type, "must be object at the root"));
}

/** Returns the type as the source has it; empty without one. */
export function typeIn({ source }: StructuralSchema): string {
  return typeof source["type"] === "string" ? source["type"] : "";
}

function checkExtensions(schema: StructuralSchema, path: string, errors: FieldError[]): void {
  const { intOrString, preserveUnknownFields, embeddedResource, properties } = schema;
  const detail = "must be false if x-kubernetes-int-or-string is true";
  if (intOrString && preserveUnknownFields)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, true, detail));
  if (intOrString && embeddedResource)
    errors.push(invalid(`${path}.x-kubernetes-embedded-resource`, true, detail));
  if (embeddedResource && !preserveUnknownFields && properties.size === 0) {
    const rule =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(required(`${path}.properties`, rule));
  }
}

function checkMetadata(schema: StructuralSchema, { level, path }: Place, errors: FieldError[]): void {
  if (level !== "root" && !schema.embeddedResource) return;
  for (const name of ["kind", "apiVersion"]) {
    const property = schema.properties.get(name);
    if (property !== undefined && typeIn(property) !== "string")
      errors.push(invalid(`${path}.properties[${name}].type`, typeIn(property), "must be string"));
  }
  const metadata = schema.properties.get("metadata");
  if (metadata === undefined) return;
  const field = `${path}.properties[metadata]`;
  if (typeIn(metadata) !== "object")
    errors.push(invalid(`${field}.type`, typeIn(metadata), "must be object"));
  if (level !== "root" || restrictsNamesOnly(metadata)) return;
  const detail =
    "must not specify anything other than name and generateName, but metadata is implicitly specified";
  errors.push(forbidden(field, detail));
}

function restrictsNamesOnly({ source, properties }: StructuralSchema): boolean {
  const names = [...properties.keys()];
  return (
    Object.keys(source).every((key) => key === "type" || key === "default" || key === "properties") &&
    names.every((name) => name === "name" || name === "generateName")
  );
}

/** Checks the pattern, and that the branches only restrict values. */
function checkConditions(schema: StructuralSchema, path: string, errors: FieldError[]): void {
  checkPattern(schema, path, errors);
  checkNestedSchema(schema, path, { errors, isChoiceAllowed: isIntOrStringChoice(schema.anyOf) });
}
