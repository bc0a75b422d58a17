/** The types of field errors (upstream: field.ErrorType). */
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

/** One validation error and its field; validation returns a list of these and throws no exceptions. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path, such as `spec.template.spec.containers[0].name`. */
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

/** A value as Kubernetes shows it: in objects and lists, characters that mean something in HTML are escaped. */
function shownValue(value: unknown): string {
  const text = JSON.stringify(value);
  if (typeof value !== "object" || value === null) return text;
  return text.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

/** The error as Kubernetes words it, without the field: `Invalid value: "x": must be …`. */
function fieldErrorBody(error: FieldError): string {
  const title = titles[error.type];
  const shown =
    neverShowsValue.has(error.type) || error.value === undefined
      ? title
      : `${title}: ${shownValue(error.value)}`;
  return error.detail === "" ? shown : `${shown}: ${error.detail}`;
}

/** The error as one line of a Status message: `spec.replicas: Invalid value: -1: must be …`. */
export function formatFieldError(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** A value that is present and invalid. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, value, detail };
}

/** A required value that is absent. */
export function required(field: string, detail = ""): FieldError {
  return { type: "FieldValueRequired", field, detail };
}

/** A value that is not allowed here. */
export function forbidden(field: string, detail: string): FieldError {
  return { type: "FieldValueForbidden", field, detail };
}

/** A value outside a closed set, which the detail lists. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const listed = supported.map((each) => JSON.stringify(each)).join(", ");
  const detail = supported.length === 0 ? "" : `supported values: ${listed}`;
  return { type: "FieldValueNotSupported", field, value, detail };
}

/** A value that must be unique and is not. */
export function duplicate(field: string, value: unknown, detail = ""): FieldError {
  return { type: "FieldValueDuplicate", field, value, detail };
}

/** A reference to something that does not exist. */
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

// A hostile object can have a hundred thousand errors; the response must not be larger than the request.
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
