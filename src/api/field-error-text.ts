import { type FieldError, type FieldErrorType, fieldErrorBody, formatFieldError } from "./field-error.ts";

/** One entry of `details.causes` in a Status that refuses an object. */
export interface StatusCause {
  readonly reason: FieldErrorType;
  readonly message: string;
  readonly field: string;
}

/** All errors as one text: a single one bare, several as `[a, b]`, and each text once. */
export function fieldErrorsText(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(formatFieldError))];
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}

/** The errors as `details.causes` lists them, one cause for each. */
export function detailsCauses(errors: readonly FieldError[]): readonly StatusCause[] {
  return errors.map((error) => ({
    reason: error.type,
    message: fieldErrorBody(error),
    field: error.field,
  }));
}
