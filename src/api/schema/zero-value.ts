import type { Json, JsonObject } from "../json.ts";
import { type Member, shapeOf } from "./shape.ts";

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
  for (const member of shapeOf(type)?.members ?? []) {
    const value = zeroOf(member);
    if (value !== undefined) zero[member.name] = value;
  }
  zeros.set(type, zero);
  return zero;
}

function zeroOf({ form, always, pointer, type }: Member): Json | undefined {
  if (!always || pointer || form !== "single") return undefined;
  // Only the names of structured types have a dot.
  return scalars.get(type) ?? (type.includes(".") ? zeroValue(type) : undefined);
}
