import { forbidden, invalid } from "../../field-error.ts";
import { qualifiedNameProblems } from "../../labels/label-syntax.ts";
import { type FieldErrors, none } from "../field-checks.ts";

/** Validates finalizer names, and that dependents are not to be both orphaned and deleted. */
export function validateFinalizers(finalizers: readonly string[] | undefined, path: string): FieldErrors {
  if (finalizers === undefined) return none;
  const syntax = finalizers.flatMap((finalizer) =>
    qualifiedNameProblems(finalizer).map((problem) => invalid(path, finalizer, problem)),
  );
  const contradicting = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  return contradicting
    ? [...syntax, invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set")]
    : syntax;
}

/** Refuses finalizers that were not there when the deletion began. */
export function validateNoNewFinalizers(
  next: readonly string[] | undefined,
  previous: readonly string[] | undefined,
  path: string,
): FieldErrors {
  const known = new Set(previous);
  const added = [...new Set(next)].filter((finalizer) => !known.has(finalizer)).sort();
  if (added.length === 0) return none;
  const listed = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
  const rule = "no new finalizers can be added if the object is being deleted";
  return [forbidden(path, `${rule}, found new finalizers []string{${listed}}`)];
}
