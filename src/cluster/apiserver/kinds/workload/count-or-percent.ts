import { invalid } from "../../../../api/field-error.ts";
import { type IntOrString, percentOf } from "../../../../api/int-or-string.ts";
import { type FieldErrors, none, nonNegative, wellFormed } from "../../../../api/field-checks.ts";
import { percentProblems } from "../../../../api/value-syntax.ts";

/** Validates a number or percentage of Pods. */
export function countOrPercent(value: IntOrString, path: string): FieldErrors {
  if (typeof value === "number") return nonNegative(value, path);
  return value === ""
    ? percentProblems(value).map((problem) => invalid(path, value, problem))
    : wellFormed(value, path, percentProblems);
}

/** Returns the number in a count or percentage; 0 when it is neither. */
export function amountOf(value: IntOrString): number {
  return typeof value === "number" ? value : (percentOf(value) ?? 0);
}

/** Validates that a percentage is at most 100%. */
export function atMostAll(value: IntOrString, path: string): FieldErrors {
  const isMore = typeof value === "string" && amountOf(value) > 100;
  return isMore ? [invalid(path, value, "must not be greater than 100%")] : none;
}
