import type { FieldError } from "../../../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import { schemaOfField } from "./apply-defaults.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validateAtOnce } from "./validate-value.ts";

/**
 * Reports fields of an applied object that are null, though their schemas allow no null and have no default. upstream: such
 * fields are removed from a body that is decoded, but an applied object is not decoded again.
 */
export function nullProblems(object: JsonObject, schema: StructuralSchema): readonly FieldError[] {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...fields } = object;
  const errors: FieldError[] = [];
  visit(fields, { schema, path: "" }, errors);
  return errors;
}

/** Details name the place within the validated value, which is here the null itself. */
const inBody = (error: FieldError): FieldError => ({ ...error, detail: `${error.field}${error.detail}` });

interface Place {
  readonly schema: StructuralSchema | undefined;
  readonly path: string;
}

function visit(value: Json | undefined, { schema, path }: Place, errors: FieldError[]): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries())
      visit(item, { schema: schema.items, path: `${path}[${index}]` }, errors);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = { schema: schemaOfField(name, schema), path: path === "" ? name : `${path}.${name}` };
    if (member === null) errors.push(...problemsOfNull(inner));
    else visit(member, inner, errors);
  }
}

function problemsOfNull({ schema, path }: Place): readonly FieldError[] {
  if (schema === undefined || schema.nullable || schema.default !== undefined) return [];
  return (validateAtOnce(null, schema, { base: path }) ?? []).map(inBody);
}
