import { type FieldError, invalid, required } from "../../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { dns1035LabelProblems, pathSegmentProblems } from "../../../api/names.ts";
import { validateObjectMeta } from "../kinds/object-meta/validate-object-meta.ts";
import { schemaOfField } from "./structural/apply-defaults.ts";
import type { StructuralSchema } from "./structural/structural-schema.ts";

/** Reports what the objects that are embedded in an object lack: apiVersion, kind and valid metadata. */
export function validateEmbedded(object: Json, schema: StructuralSchema): readonly FieldError[] {
  const errors: FieldError[] = [];
  visit({ value: object, schema, path: "" }, errors);
  return errors;
}

interface Visited {
  readonly value: Json;
  readonly schema: StructuralSchema | undefined;
  readonly path: string;
}

function visit({ value, schema, path }: Visited, errors: FieldError[]): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries())
      visit({ value: item, schema: schema.items, path: `${path}[${index}]` }, errors);
    return;
  }
  if (isJsonObject(value)) visitFields(value, { schema, path }, errors);
}

function visitFields(
  value: JsonObject,
  { schema, path }: { readonly schema: StructuralSchema; readonly path: string },
  errors: FieldError[],
): void {
  if (schema.embeddedResource && path !== "") errors.push(...problemsOf(value, path));
  for (const name of Object.keys(value)) {
    const field = value[name];
    const inside = schemaOfField(name, schema);
    if (field === undefined || inside === undefined) continue;
    const step = schema.properties.has(name) ? `${path}.${name}` : `${path}[${name}]`;
    visit({ value: field, schema: inside, path: step }, errors);
  }
}

function problemsOf(object: JsonObject, place: string): readonly FieldError[] {
  const path = place.replace(/^\./, "");
  const { apiVersion, kind, metadata } = object;
  return [
    ...textProblems(apiVersion, `${path}.apiVersion`),
    ...textProblems(kind, `${path}.kind`, kindProblem),
    ...(isJsonObject(metadata) ? metadataProblems(metadata, `${path}.`) : []),
  ];
}

function textProblems(
  value: Json | undefined,
  field: string,
  problem: (text: string) => string | undefined = () => undefined,
): readonly FieldError[] {
  if (value === undefined) return [required(field, "must not be empty")];
  if (typeof value !== "string") return [invalid(field, value, "must be a string")];
  if (value === "") return [invalid(field, value, "must not be empty")];
  const why = problem(value);
  return why === undefined ? [] : [invalid(field, value, why)];
}

function kindProblem(kind: string): string | undefined {
  const problems = dns1035LabelProblems(kind.toLowerCase());
  return problems.length === 0
    ? undefined
    : `may have mixed case, but should otherwise match: ${problems.join(",")}`;
}

/** upstream: the name may be absent, and any that can be part of a URL. */
function metadataProblems(metadata: JsonObject, prefix: string): readonly FieldError[] {
  const { name = "" } = metadata;
  const named = name === "" ? { ...metadata, name: "fakename" } : metadata;
  return validateObjectMeta(named, pathSegmentProblems).map((error) => ({
    ...error,
    field: `${prefix}${error.field}`,
  }));
}
