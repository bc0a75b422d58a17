import { type FieldError, invalid, notSupported, tooLong } from "../../../api/field-error.ts";
import { invalidObject } from "../status-errors.ts";
import type { RequestOptions } from "./api-request.ts";

/** What to do about fields the schema does not know. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** How a write is to be done. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
}

const validations: readonly string[] = ["Ignore", "Warn", "Strict"];
const longestManager = 128;

/** Reads the options of a write; throws 422 for values that are none. */
export function writeOptionsOf(
  options: RequestOptions,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions" | "DeleteOptions",
): WriteOptions {
  const errors = problemsOf(options);
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind }, "", errors);
  return {
    dryRun: (options.dryRun ?? []).length > 0,
    fieldValidation: (options.fieldValidation ?? "Warn") as FieldValidation,
  };
}

function problemsOf({
  dryRun = [],
  fieldManager = "",
  fieldValidation = "Warn",
}: RequestOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (dryRun.some((value) => value !== "All")) errors.push(notSupported("dryRun", dryRun, ["All"]));
  if (fieldManager.length > longestManager) errors.push(tooLong("fieldManager", longestManager));
  if (!/^\P{C}*$/u.test(fieldManager))
    errors.push(invalid("fieldManager", fieldManager, "should only contain printable characters"));
  if (!validations.includes(fieldValidation))
    errors.push(notSupported("fieldValidation", fieldValidation, validations));
  return errors;
}
