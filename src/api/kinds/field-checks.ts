import { type FieldError, invalid, notSupported, required } from "../field-error.ts";
import { type NameCheck, portNameProblems } from "../names.ts";

/** What one check found; empty when nothing is wrong. */
export type FieldErrors = readonly FieldError[];

/** Nothing is wrong. */
export const none: FieldErrors = [];

/** Counts and seconds. */
export function nonNegative(value: number | undefined, path: string): FieldErrors {
  return value === undefined || value >= 0
    ? none
    : [invalid(path, value, "must be greater than or equal to 0")];
}

/** Numbers that count something that has to exist; absent counts as zero. */
export function positive(value: number | undefined, path: string): FieldErrors {
  const number = value ?? 0;
  return number > 0 ? none : [invalid(path, number, "must be greater than zero")];
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Numbers between two bounds, which belong to the range. */
export function within(value: number | undefined, path: string, { min, max }: Range): FieldErrors {
  return value === undefined || (value >= min && value <= max)
    ? none
    : [invalid(path, value, `must be between ${min} and ${max}, inclusive`)];
}

/** A TCP or UDP port; absent counts as zero, which is none. */
export function portNumber(value: number | undefined, path: string): FieldErrors {
  return within(value ?? 0, path, { min: 1, max: 65535 });
}

/** A port by its number or by the name a container gives it. */
export function portNumberOrName(value: number | string | undefined, path: string): FieldErrors {
  return typeof value === "string" ? wellFormed(value, path, portNameProblems) : portNumber(value, path);
}

/** A text that has a syntax, if it is there at all. */
export function wellFormed(text: string | undefined, path: string, problemsOf: NameCheck): FieldErrors {
  if (text === undefined || text === "") return none;
  return problemsOf(text).map((problem) => invalid(path, text, problem));
}

/** A text that has to be there, in its syntax when it has one. */
export function requiredText(text: string | undefined, path: string, problemsOf?: NameCheck): FieldErrors {
  if (text === undefined || text === "") return [required(path)];
  return problemsOf === undefined ? none : wellFormed(text, path, problemsOf);
}

/** One word out of a closed set, if it is there at all. */
export function supported(text: string | undefined, path: string, words: readonly string[]): FieldErrors {
  return text === undefined || words.includes(text) ? none : [notSupported(path, text, words)];
}

/** One word out of a closed set, which has to be there. */
export function requiredOneOf(text: string | undefined, path: string, words: readonly string[]): FieldErrors {
  return text === undefined || text === "" ? [required(path)] : supported(text, path, words);
}

type Scalar = string | number | boolean | undefined;

/** A field that keeps the value it was created with. */
export function immutable(next: Scalar, previous: Scalar, path: string): FieldErrors {
  return next === previous ? none : [immutableField(path, next)];
}

/** The error of an update that changes an immutable field. */
export function immutableField(path: string, next: unknown): FieldError {
  return invalid(path, next ?? null, "field is immutable");
}

// An answer shows a hundred errors; looking for more in a list without end would only hold everybody else up.
const enough = 100;

/** One check for each item of a list, at the item's own path, until enough is wrong. */
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
