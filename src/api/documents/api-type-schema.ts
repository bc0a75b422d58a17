import type { FieldError } from "../field-error.ts";
import type { Json } from "../json.ts";
import { scalarReader } from "../schema/decode-scalar.ts";
import { type Member, shapeOf } from "../schema/shape.ts";
import { type DocumentSchema, int32, int64 } from "./document-schema.ts";

/** The scalars that JSON Schema has words for. */
const scalars: Readonly<Record<string, DocumentSchema>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: int32("A whole number of 32 bits."),
  int64: int64("A whole number."),
  double: { type: "number" },
};

const known = new Map<string, DocumentSchema>();

/** The schema of a type of the Kubernetes API by its name in the schema table; the types of its fields stay names. */
export function apiTypeSchema(type: string): DocumentSchema {
  const made = known.get(type);
  if (made !== undefined) return made;
  const schema = scalars[type] ?? checkedScalar(type) ?? objectSchema(type);
  known.set(type, schema);
  return schema;
}

/** Any other scalar, as the API server reads it. */
function checkedScalar(type: string): DocumentSchema | undefined {
  const read = scalarReader(type);
  if (read === undefined) return undefined;
  return {
    check: (value, field): readonly FieldError[] =>
      read(value as Json) === undefined
        ? [{ type: "FieldValueTypeInvalid", field, value, detail: `must be a ${type}` }]
        : [],
  };
}

function objectSchema(type: string): DocumentSchema {
  const members = shapeOf(type)?.members ?? [];
  return {
    type: "object",
    properties: Object.fromEntries(members.map((member) => [member.name, memberSchema(member)])),
    additionalProperties: false,
  };
}

function memberSchema({ form, type }: Member): DocumentSchema {
  const schema: DocumentSchema = { apiType: type };
  switch (form) {
    case "single":
      return schema;
    case "list":
      return { type: "array", items: schema };
    case "map":
      return { type: "object", additionalProperties: schema };
  }
}
