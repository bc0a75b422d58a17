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

/** How unknown and duplicate fields are treated. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** The options of a write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
}

const validations: readonly string[] = ["Ignore", "Strict", "Warn"];
const maxFieldManagerLength = 128;

/** Reads the options of a write; throws 422 for invalid values. */
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

/** Reads the options of a patch: an apply has to name its manager, and nothing else can be forced. */
export function patchOptionsOf(options: RequestOptions, isApply: boolean): WriteOptions {
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
  if (fieldManager.length > maxFieldManagerLength)
    errors.push(tooLong("fieldManager", maxFieldManagerLength));
  errors.push(...unprintableIn(fieldManager));
  if (!validations.includes(fieldValidation))
    errors.push(notSupported("fieldValidation", fieldValidation, ["", ...validations]));
  return errors;
}

/** The first character of a manager's name that cannot be printed. */
function unprintableIn(fieldManager: string): readonly FieldError[] {
  if (/^\P{C}*$/u.test(fieldManager)) return [];
  const characters = Array.from(fieldManager);
  const at = characters.findIndex((character) => /\p{C}/u.test(character));
  const code = (characters[at] ?? "").codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return [invalid("fieldManager", fieldManager, `invalid character ${name} (at position ${at})`)];
}
