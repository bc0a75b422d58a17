import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { type Member, shapeOf } from "../../api/schema/shape.ts";
import { schemaTable } from "../../api/schema/table.ts";
import { keepAllowedAnnotations } from "./allowed-annotations.ts";
import { allowedFields } from "./allowed-fields.ts";

/** Types whose values may be anything; none of them is allowed. */
const freeForm: ReadonlySet<string> = new Set(["RawExtension", "FieldsV1", "JSON", "bytes"]);

/**
 * The allowed fields of an object of a type in the schema table, in the order of the schema. A value that is not what
 * the schema says is left out.
 */
export function keepAllowed(type: string, object: JsonObject): JsonObject {
  const allowed = allowedFields[type] ?? [];
  const kept: [string, Json][] = [];
  for (const member of shapeOf(type)?.members ?? []) {
    if (!allowed.includes(member.name)) continue;
    const value = keepMember(member, object[member.name]);
    if (value !== undefined) kept.push([member.name, value]);
  }
  return Object.fromEntries(kept);
}

function keepMember({ name, form, type }: Member, value: Json | undefined): Json | undefined {
  switch (form) {
    case "single":
      return keepValue(type, value);
    case "list":
      return Array.isArray(value)
        ? (value as readonly Json[]).map((item) => keepValue(type, item)).filter((item) => item !== undefined)
        : undefined;
    case "map":
      return isJsonObject(value) ? keepMap(name, type, value) : undefined;
  }
}

function keepMap(name: string, type: string, value: JsonObject): JsonObject {
  if (name === "annotations") return keepAllowedAnnotations(value, keepPicker);
  const kept = Object.entries(value).map(([key, item]) => [key, keepValue(type, item)] as const);
  return Object.fromEntries(kept.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

const keepPicker = (picker: JsonObject) => keepAllowed("apps.v1.DownscalePodPicker", picker);

function keepValue(type: string, value: Json | undefined): Json | undefined {
  if (schemaTable().types.has(type)) return isJsonObject(value) ? keepAllowed(type, value) : undefined;
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isScalar && !freeForm.has(type) ? value : undefined;
}
