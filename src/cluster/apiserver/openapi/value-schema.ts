import type { JsonObject } from "../../../api/json.ts";
import { type ScalarFacts, schemaTable } from "../../../api/schema/table.ts";
import { schemaReference } from "./schema-names.ts";

/** The schemas of plain scalars. */
const plainSchemas: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ["string", { type: "string" }],
  ["bool", { type: "boolean" }],
  ["int32", { type: "integer", format: "int32" }],
  ["int64", { type: "integer", format: "int64" }],
  ["double", { type: "number", format: "double" }],
  ["bytes", { type: "string", format: "byte" }],
  ["StringList", { type: "array", items: { type: "string", default: "" } }],
]);

/** The default of a value that is always written. */
const zeroValues: ReadonlyMap<string, string | number | boolean> = new Map<string, string | number | boolean>(
  [
    ["string", ""],
    ["bool", false],
    ["int32", 0],
    ["int64", 0],
    ["double", 0],
  ],
);

/** Returns the schema of one value of a type: the schema itself where it is short, a reference where it has a name. */
export function valueSchema(typeName: string): JsonObject {
  return plainSchemas.get(typeName) ?? { allOf: [schemaReference(typeName)] };
}

/** Returns the type that a value's schema refers to, if any. */
export function referredType(typeName: string): string | undefined {
  return plainSchemas.has(typeName) ? undefined : typeName;
}

/** Returns the default of a value that is always written; named scalars have none. */
export function zeroDefault(typeName: string): JsonObject {
  const zero = zeroValues.get(typeName);
  if (zero !== undefined) return { default: zero };
  return schemaTable().types.has(typeName) ? { default: {} } : {};
}

/** Returns the schema of a named scalar: times, quantities, numbers that may be names. */
export function scalarSchema({ json, format }: ScalarFacts): JsonObject {
  const withFormat = format === undefined ? {} : { format };
  if (typeof json !== "string") return { ...withFormat, oneOf: json.map((type) => ({ type })) };
  return json === "any" ? {} : { type: json, ...withFormat };
}
