import type { Json } from "../../../../api/json.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { checkedFormat } from "./value-format.ts";

/** What a value should be and what it is, in the words of upstream. */
export interface TypeMismatch {
  readonly wanted: string;
  readonly found: string;
}

/** Reports whether a schema says anything about types. */
export function restrictsType(schema: StructuralSchema): boolean {
  return typesOf(schema).length > 0 || checkedFormat(schema) !== undefined;
}

/** Compares the type of a value with that of its schema; `undefined` if it fits. */
export function typeMismatch(value: Json, schema: StructuralSchema): TypeMismatch | undefined {
  const types = typesOf(schema);
  const found = typeNameOf(value);
  if (fits(found, types)) return undefined;
  const mismatch = { wanted: types.join(","), found };
  if (found === "null") return types.length === 0 || schema.nullable ? undefined : mismatch;
  const format = checkedFormat(schema);
  return format === undefined ? mismatch : formatMismatch(mismatch, format);
}

function fits(found: string, types: readonly string[]): boolean {
  return types.includes(found) || (found === "integer" && types.includes("number"));
}

/** upstream: a text with a format is not compared with its type, and neither is an array. */
function formatMismatch(mismatch: TypeMismatch, format: string): TypeMismatch | undefined {
  const { wanted, found } = mismatch;
  if (found === "string" || found === "array")
    return wanted.includes("integer") || wanted === "number" ? mismatch : undefined;
  const native = nativeFormats.get(found) ?? "";
  return native === format ? mismatch : { wanted: format, found: native };
}

const nativeFormats: ReadonlyMap<string, string> = new Map([
  ["integer", "int64"],
  ["number", "float64"],
]);

const intOrString: readonly string[] = ["integer", "string"];

function typesOf({ type, intOrString: either }: StructuralSchema): readonly string[] {
  if (either) return intOrString;
  return type === undefined ? [] : [type];
}

function typeNameOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}
