import { invalid, tooLong } from "../../field-error.ts";
import { qualifiedNameProblems } from "../../labels/label-syntax.ts";
import { byteLength } from "../byte-length.ts";
import { type FieldErrors, none } from "../field-checks.ts";

const maxTotalBytes = 256 * 1024;

/** Validates a set of annotations: keys are label keys of either case, values anything, all together 256 KiB. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: string,
): FieldErrors {
  if (annotations === undefined) return none;
  const entries = Object.entries(annotations);
  const syntax = entries.flatMap(([key]) =>
    qualifiedNameProblems(key.toLowerCase()).map((problem) => invalid(path, key, problem)),
  );
  const bytes = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return bytes > maxTotalBytes ? [...syntax, tooLong(path, maxTotalBytes)] : syntax;
}
