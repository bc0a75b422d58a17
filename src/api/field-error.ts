/** Kubernetes' words for what is wrong with a field. */
export type FieldErrorType =
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
