import type { Json, JsonObject } from "../json.ts";
import { shapeOf } from "./shape.ts";

const scalars: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["string", ""],
  ["bool", false],
  ["int32", 0],
  ["int64", 0],
  ["double", 0],
]);

const zeros = new Map<string, JsonObject>();

/** The members that Kubernetes writes for a value of a type in which nothing is set; those it writes as null are absent. */
export function zeroValue(type: string): JsonObject {
  const known = zeros.get(type);
  if (known !== undefined) return known;
  const zero: Record<string, Json> = {};
  for (const { name, form, always, pointer, type: inner } of shapeOf(type)?.members ?? []) {
    if (!always || pointer || form !== "single") continue;
    const value = scalars.get(inner) ?? (inner.includes(".") ? zeroValue(inner) : undefined);
    if (value !== undefined) zero[name] = value;
  }
  zeros.set(type, zero);
  return zero;
}
