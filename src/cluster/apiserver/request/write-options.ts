import { utf8Length } from "../../../api/bytes.ts";
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from "../../../api/field-error.ts";
import { invalidObject } from "../status-errors.ts";
import type { RequestOptions } from "./api-request.ts";

/** Says how unknown and duplicate fields are treated. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** The options of a write. */
export interface ParsedWriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
}

const validations: readonly string[] = ["Ignore", "Strict", "Warn"];
const maxFieldManagerLength = 128;
const isPrintableAscii = /^[ -~]*$/;

/** Reads the options of a write; throws 422 for invalid values. */
export function writeOptionsOf(
  options: RequestOptions,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions" | "DeleteOptions",
): ParsedWriteOptions {
  const errors = problemsOf(options);
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind }, "", errors);
  return {
    dryRun: (options.dryRun ?? []).length > 0,
    fieldValidation: (options.fieldValidation ?? "Warn") as FieldValidation,
  };
}

/** Reads the options of a patch: an apply has to name its manager, and only an apply can be forced. */
export function patchOptionsOf(options: RequestOptions, isApply: boolean): ParsedWriteOptions {
  const errors: FieldError[] = [];
  if (isApply && (options.fieldManager ?? "") === "")
    errors.push(required("fieldManager", "is required for apply patch"));
  if (!isApply && options.force !== undefined)
    errors.push(forbidden("force", "may not be specified for non-apply patch"));
  if (errors.length > 0)
    throw invalidObject({ group: "meta.k8s.io", kind: "PatchOptions" }, "", [
      ...errors,
      ...problemsOf(options),
    ]);
  return writeOptionsOf(options, "PatchOptions");
}

function problemsOf({
  dryRun = [],
  fieldManager = "",
  fieldValidation = "Warn",
}: RequestOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (dryRun.some((value) => value !== "All")) errors.push(notSupported("dryRun", dryRun, ["All"]));
  if (utf8Length(fieldManager) > maxFieldManagerLength)
    errors.push(tooLong("fieldManager", maxFieldManagerLength));
  errors.push(...unprintableIn(fieldManager));
  if (!validations.includes(fieldValidation))
    errors.push(notSupported("fieldValidation", fieldValidation, ["", ...validations]));
  return errors;
}

/** Returns the characters of a manager's name that cannot be printed, each with its position in bytes. */
// upstream: ValidateFieldManager, with Go's unicode.IsPrint
function unprintableIn(fieldManager: string): readonly FieldError[] {
  if (isPrintableAscii.test(fieldManager)) return [];
  return Array.from(fieldManager.matchAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu), ({ 0: character, index }) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const position = utf8Length(fieldManager.slice(0, index));
    return invalid("fieldManager", fieldManager, `invalid character U+${code} (at position ${position})`);
  });
}
