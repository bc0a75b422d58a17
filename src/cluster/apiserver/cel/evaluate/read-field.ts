import { noSuchKey } from "../library/logic.ts";
import { CelError, type CelValue, isMap, none, noSuchOverload, Optional } from "../values/cel-value.ts";
import type { LiteralMap } from "../values/literal-map.ts";

export function select(operand: CelValue, field: string, isOptional: boolean): CelValue {
  if (operand instanceof CelError) return operand;
  if (operand instanceof Optional)
    return operand.value === undefined ? none : select(operand.value, field, true);
  if (!isMap(operand)) return isOptional ? none : noSuchKey(field);
  const value = operand.get(field);
  if (isOptional) return value === undefined ? none : new Optional(value);
  return value ?? (value === null ? null : noSuchKey(field));
}

export function hasField(operand: CelValue, field: string): CelValue {
  if (operand instanceof CelError) return operand;
  if (operand instanceof Optional)
    return operand.value === undefined ? false : hasField(operand.value, field);
  const value = isMap(operand) ? operand.get(field) : noSuchOverload;
  return value instanceof CelError ? value : value !== undefined;
}

export function addEntry(
  made: LiteralMap,
  {
    key,
    value,
    isOptional,
  }: { readonly key: CelValue; readonly value: CelValue; readonly isOptional: boolean },
): CelError | undefined {
  if (key instanceof CelError) return key;
  if (value instanceof CelError) return value;
  const present = isOptional && value instanceof Optional ? value.value : value;
  return present === undefined ? undefined : made.add(key, present);
}
