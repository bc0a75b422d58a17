/** Kubernetes' words for what is wrong with a field. */
type FieldErrorType =
  | "FieldValueRequired"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueDuplicate"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueNotFound"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** One thing that is wrong, and where; a "no" of validation is a list of these, never an exception. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path as a person would write it: `spec.template.spec.containers[0].name`. */
  readonly field: string;
  readonly detail: string;
  /** The offending value, where showing it helps. */
  readonly value?: unknown;
}

const titles: Readonly<Record<FieldErrorType, string>> = {
  FieldValueRequired: "Required value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueDuplicate: "Duplicate value",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueNotFound: "Not found",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
};

const neverShowsValue: ReadonlySet<FieldErrorType> = new Set([
  "FieldValueRequired",
  "FieldValueForbidden",
  "FieldValueTooLong",
  "InternalError",
]);

/** The error as Kubernetes words it, without the field: `Invalid value: "x": must be …`. */
function fieldErrorBody(error: FieldError): string {
  const title = titles[error.type];
  const shown =
    neverShowsValue.has(error.type) || error.value === undefined
      ? title
      : `${title}: ${JSON.stringify(error.value)}`;
  return error.detail === "" ? shown : `${shown}: ${error.detail}`;
}

/** The error as one line of a Status message: `spec.replicas: Invalid value: -1: must be …`. */
export function formatFieldError(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** A value that is there and wrong. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, value, detail };
}

/** A value that has to be there and is not. */
export function required(field: string, detail = ""): FieldError {
  return { type: "FieldValueRequired", field, detail };
}

/** A value that may not be there under these circumstances. */
export function forbidden(field: string, detail: string): FieldError {
  return { type: "FieldValueForbidden", field, detail };
}

/** A value outside a closed set, which the detail lists. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const listed = supported.map((each) => JSON.stringify(each)).join(", ");
  const detail = supported.length === 0 ? "" : `supported values: ${listed}`;
  return { type: "FieldValueNotSupported", field, value, detail };
}

/** A value that may be there once and is there again. */
export function duplicate(field: string, value: unknown, detail = ""): FieldError {
  return { type: "FieldValueDuplicate", field, value, detail };
}

/** A reference to something that is not there. */
export function notFound(field: string, value: unknown, detail = ""): FieldError {
  return { type: "FieldValueNotFound", field, value, detail };
}

/** A value that is longer than it may be, which is not repeated. */
export function tooLong(field: string, maxBytes: number): FieldError {
  return { type: "FieldValueTooLong", field, detail: `may not be more than ${maxBytes} bytes` };
}

/** A list with more items than it may have. */
export function tooMany(field: string, count: number, max: number): FieldError {
  const detail = `must have at most ${max} ${max === 1 ? "item" : "items"}`;
  return { type: "FieldValueTooMany", field, value: count, detail };
}

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

/** The way to a value: member names and list positions. */
export type FieldPath = readonly (string | number)[];

/** A path as Kubernetes writes it: `spec.template.spec.containers[0].name`. */
export function formatFieldPath(path: FieldPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}
