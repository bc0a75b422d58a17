import { bool, bytes, type CelType, double, dyn, int, nullType, string, uint } from "../types/cel-type.ts";
import { Bytes, type CelValue, Uint } from "../values/cel-value.ts";

const primitives: Readonly<Record<string, CelType>> = { boolean: bool, bigint: int, number: double, string };

/** Returns the type of a literal. */
export function literalType(value: CelValue): CelType {
  if (value === null) return nullType;
  if (value instanceof Uint) return uint;
  if (value instanceof Bytes) return bytes;
  return primitives[typeof value] ?? dyn;
}
