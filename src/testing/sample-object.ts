import type { Json, JsonObject } from "../api/json.ts";
import { type Member, shapeOf } from "../api/schema/shape.ts";
import { schemaTable } from "../api/schema/table.ts";

/** An object with every member set that protobuf can carry, down to a depth; below that only what is not an object. */
export function sampleObject(type: string, depth: number): JsonObject {
  const entries = (shapeOf(type)?.members ?? [])
    .filter(
      (member) => member.facts.wire !== undefined && (depth > 0 || !schemaTable().types.has(member.type)),
    )
    .map((member): [string, Json] => [member.name, sampleMember(member, depth)]);
  return Object.fromEntries(entries);
}

function sampleMember({ form, name, type }: Member, depth: number): Json {
  const value = sampleValue(type, name, depth);
  if (form === "list") return [value, sampleValue(type, `${name}-2`, depth)];
  return form === "map" ? { [`${name}.a`]: value, [`${name}.b`]: value } : value;
}

const scalars: Readonly<Record<string, Json>> = {
  bool: true,
  int32: -7,
  int64: 1_234_567_890_123,
  double: 0.25,
  bytes: "AAEC/w==",
  Time: "2026-02-28T23:59:59Z",
  MicroTime: "2026-02-28T23:59:59.000123Z",
  Duration: "1m30s",
  Quantity: "1500m",
  IntOrString: "25%",
  StringList: ["a", "b"],
  RawExtension: { kind: "Any", list: [1, null, "ä"] },
  FieldsV1: { "f:spec": {} },
  JSON: { any: [true] },
};

function sampleValue(type: string, name: string, depth: number): Json {
  const known = scalars[type];
  if (known !== undefined) return known;
  if (type === "string") return `${name} ä`;
  if (type === "SchemaOrStringArray") return ["a"];
  if (type.startsWith("SchemaOr")) return type === "SchemaOrBool" ? true : [];
  return sampleObject(type, depth - 1);
}
