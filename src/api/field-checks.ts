import { duplicate, type FieldError, invalid, notSupported, required } from "./field-error.ts";
import { type NameCheck, portNameProblems } from "./names.ts";

/** The errors that a check found. */
export type FieldErrors = readonly FieldError[];

/** No errors. */
export const none: FieldErrors = [];

/** Validates that a number is not negative. */
export function nonNegative(value: number | undefined, path: string): FieldErrors {
  return value === undefined || value >= 0
    ? none
    : [invalid(path, value, "must be greater than or equal to 0")];
}

/** Validates that a number is positive; absent counts as zero. */
export function positive(value: number | undefined, path: string): FieldErrors {
  const number = value ?? 0;
  return number > 0 ? none : [invalid(path, number, "must be greater than zero")];
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Validates that a number is in a range, bounds included. */
export function within(value: number | undefined, path: string, { min, max }: Range): FieldErrors {
  return value === undefined || (value >= min && value <= max)
    ? none
    : [invalid(path, value, `must be between ${min} and ${max}, inclusive`)];
}

/** Validates a port number; absent counts as zero, which is invalid. */
export function portNumber(value: number | undefined, path: string): FieldErrors {
  return within(value ?? 0, path, { min: 1, max: 65535 });
}

/** Validates a port number or the name of a container port. */
export function portNumberOrName(value: number | string | undefined, path: string): FieldErrors {
  return typeof value === "string" ? wellFormed(value, path, portNameProblems) : portNumber(value, path);
}

/** Validates the syntax of a text, unless it is absent or empty. */
export function wellFormed(text: string | undefined, path: string, problemsOf: NameCheck): FieldErrors {
  if (text === undefined || text === "") return none;
  return problemsOf(text).map((problem) => invalid(path, text, problem));
}

/** Validates that a text is present, and its syntax. */
export function requiredText(text: string | undefined, path: string, problemsOf?: NameCheck): FieldErrors {
  if (text === undefined || text === "") return [required(path)];
  return problemsOf === undefined ? none : wellFormed(text, path, problemsOf);
}

/** Validates that a text, if present, is one of the supported values. */
export function supported(text: string | undefined, path: string, words: readonly string[]): FieldErrors {
  return text === undefined || words.includes(text) ? none : [notSupported(path, text, words)];
}

/** Validates that a text is present and one of the supported values. */
export function requiredOneOf(text: string | undefined, path: string, words: readonly string[]): FieldErrors {
  return text === undefined || text === "" ? [required(path)] : supported(text, path, words);
}

/** Reports the items of a list whose name an item before them has. */
export function repeatedNames(
  items: readonly { readonly name?: string | undefined }[],
  path: string,
): FieldErrors {
  const seen = new Set<string>();
  return items.flatMap(({ name }, index) => {
    if (name === undefined) return none;
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated ? [duplicate(`${path}[${index}].name`, name)] : none;
  });
}

type Scalar = string | number | boolean | undefined;

/** Validates that a field keeps its value. */
export function immutable(next: Scalar, previous: Scalar, path: string): FieldErrors {
  return next === previous ? none : [immutableField(path, next)];
}

/** The error of an update that changes an immutable field. */
export function immutableField(path: string, next: unknown): FieldError {
  return invalid(path, next ?? null, "field is immutable");
}

// A Status shows at most a hundred errors; checking the rest of a huge list would only block the event loop.
const enough = 100;

/** Checks each item of a list at its path, until there are more errors than a Status shows. */
export function each<Item>(
  items: readonly Item[] | undefined,
  path: string,
  check: (item: Item, path: string, index: number) => FieldErrors,
): FieldErrors {
  if (items === undefined || items.length === 0) return none;
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    if (errors.length > enough) break;
    errors.push(...check(item, `${path}[${index}]`, index));
  }
  return errors;
}
