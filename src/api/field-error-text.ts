import { type FieldError, type FieldErrorType, fieldErrorBody, formatFieldError } from "./field-error.ts";

/** One entry of `details.causes` in a Status that refuses an object. */
export interface StatusCause {
  readonly reason: FieldErrorType;
  readonly message: string;
  readonly field: string;
}

// A hostile object can be wrong in a hundred thousand places, and the answer should not be larger than the question.
const maxShown = 100;

/** The errors as one text: a single one bare, several as `[a, b]`, each text once, and at most a hundred. */
export function fieldErrorsText(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.slice(0, maxShown).map(formatFieldError))];
  if (errors.length > maxShown) texts.push(`and ${errors.length - maxShown} more`);
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}

/** The errors as `details.causes` lists them, one cause for each, and at most a hundred. */
export function detailsCauses(errors: readonly FieldError[]): readonly StatusCause[] {
  return errors.slice(0, maxShown).map((error) => ({
    reason: error.type,
    message: fieldErrorBody(error),
    field: error.field,
  }));
}
