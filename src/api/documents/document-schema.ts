import { parseDuration } from "../duration.ts";
import { type FieldError, invalid } from "../field-error.ts";
import { maxInt32 } from "../int-or-string.ts";
import type { JsonObject } from "../json.ts";

/**
 * The schema of a document that people write: `readDocument` reads values with it, and `toJsonSchema` publishes it for
 * editors. Its keywords are those of JSON Schema (draft-07) and, at the end, three of our own. `T` is the type of the
 * document.
 */
export interface DocumentSchema<T = unknown> {
  readonly $id?: string;
  readonly title?: string;
  /** For people: editors show it. */
  readonly description?: string;
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  /** What a value was expected to be, for messages; editors show it, too. */
  readonly errorMessage?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Members;
  readonly required?: readonly string[];
  /** Absent on an object: any member may be there. */
  readonly additionalProperties?: false | DocumentSchema;
  readonly minProperties?: number;
  readonly items?: DocumentSchema;
  readonly minItems?: number;
  /** Alternatives of different types. */
  readonly anyOf?: readonly DocumentSchema[];
  /** Exactly one of these members has to be there. */
  readonly oneOf?: readonly { readonly required: readonly [string] }[];
  /** The value is of this type of the Kubernetes API, or one of its scalars: `core.v1.NodeAffinity`, `Quantity`. */
  readonly apiType?: string;
  /** Finds errors that no other keyword expresses. Receives an object or a list without its invalid values. */
  check?(value: unknown, path: string): readonly FieldError[];
  /** Never set: it tells the compiler the type. */
  readonly decoded?: T;
}

/** A value without its invalid parts: members may be missing. Maps have no required members. */
export type Incomplete<T> = T extends readonly (infer Item)[]
  ? readonly Incomplete<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [Name in keyof T]?: Incomplete<Exclude<T[Name], undefined>> }
    : T;

/** Further keywords of a schema, besides those that its builder sets. */
interface Words<T> extends Omit<DocumentSchema, "check" | "decoded"> {
  check?(value: Incomplete<T>, path: string): readonly FieldError[];
}

/** The members of an object, by name. */
export type Members = Readonly<Record<string, DocumentSchema>>;

/** The type of what is read by a schema. */
export type DocumentOf<S> = S extends DocumentSchema<infer T> ? T : never;

/** An object with these members, of which the required ones are always there. */
type RecordOf<F extends Members, Required extends keyof F> = {
  readonly [Name in Required]: DocumentOf<F[Name]>;
} & {
  readonly [Name in Exclude<keyof F, Required>]?: DocumentOf<F[Name]>;
};

/** A text that is not empty. */
export const text = (description: string, more: Words<string> = {}): DocumentSchema<string> => ({
  type: "string",
  minLength: 1,
  description,
  ...more,
});

/** A text that may be empty. */
export const anyText = (description: string, more: Words<string> = {}): DocumentSchema<string> => ({
  type: "string",
  ...more,
  description,
});

/** A whole number from `minimum` to `maximum`. */
export const integer = (
  description: string,
  [minimum, maximum]: readonly [number, number],
  more: Words<number> = {},
): DocumentSchema<number> => ({ type: "integer", minimum, maximum, description, ...more });

/** A whole number as Kubernetes stores most of them. */
export const int32 = (description: string, more: Words<number> = {}): DocumentSchema<number> =>
  integer(description, [-maxInt32 - 1, maxInt32], {
    errorMessage: "must be a whole number of 32 bits",
    ...more,
  });

/** A whole number that JSON represents exactly. */
export const int64 = (description: string, more: Words<number> = {}): DocumentSchema<number> =>
  integer(description, [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER], {
    errorMessage: "must be a whole number",
    ...more,
  });

/** A number. */
export const number = (description: string, more: Words<number> = {}): DocumentSchema<number> => ({
  type: "number",
  ...more,
  description,
});

/** True or false. */
export const flag = (description: string): DocumentSchema<boolean> => ({ type: "boolean", description });

/** One of some words. */
export const choice = <const Word extends string>(
  description: string,
  words: readonly Word[],
): DocumentSchema<Word> => ({ type: "string", enum: words, description });

/** One word, which says what a document is. */
const constant = (description: string, word: string): DocumentSchema<string> => ({
  type: "string",
  const: word,
  description,
});

/** A list. */
export const list = <T>(
  description: string,
  items: DocumentSchema<T>,
  more: Words<readonly T[]> = {},
): DocumentSchema<readonly T[]> => ({ type: "array", items, description, ...more });

/** What else can be said about an object. */
interface RecordWords<T, Required> extends Pick<
  Words<T>,
  "$id" | "title" | "errorMessage" | "oneOf" | "minProperties" | "check"
> {
  readonly required?: readonly Required[];
}

/** An object with these members and no others. */
export const record = <F extends Members, Required extends keyof F & string = never>(
  description: string,
  properties: F,
  more: RecordWords<RecordOf<F, Required>, Required> = {},
): DocumentSchema<RecordOf<F, Required>> => ({
  type: "object",
  description,
  properties,
  additionalProperties: false,
  ...more,
});

/** Exactly one of these members has to be there, besides the others. */
export const exactlyOneOf = (names: readonly string[]): Pick<DocumentSchema, "oneOf"> => ({
  oneOf: names.map((name) => ({ required: [name] as const })),
});

/** An object whose members have names that its author chooses. */
export const map = <T>(
  description: string,
  values: DocumentSchema<T>,
  more: Words<Readonly<Record<string, T>>> = {},
): DocumentSchema<Readonly<Record<string, T>>> => ({
  type: "object",
  description,
  ...more,
  additionalProperties: values,
});

/** An object that is read elsewhere. */
export const object = (description: string, more: Words<JsonObject> = {}): DocumentSchema<JsonObject> => ({
  type: "object",
  description,
  ...more,
});

/** A value of any form. */
export const anything = <T = unknown>(description: string, more: Words<T> = {}): DocumentSchema<T> => ({
  description,
  ...more,
});

/** A value of one of several types; `errorMessage` says which. */
export const either = <S extends readonly DocumentSchema[]>(
  description: string,
  errorMessage: string,
  anyOf: S,
): DocumentSchema<DocumentOf<S[number]>> => ({ anyOf, errorMessage, description });

/** A type of the Kubernetes API by its name in the schema table; `T` says what its `check` leaves of it. */
export const apiType = <T>(description: string, name: string, more: Words<T> = {}): DocumentSchema<T> => ({
  description,
  apiType: name,
  ...more,
});

const unit = "(ns|us|µs|μs|ms|s|m|h)";
export const goDuration = `(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)${unit}(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)${unit})*)`;

const durationMessage = "must be a duration such as 90s, 5m or 1h30m";

/** A duration such as `5m`, as Go writes them, and no longer than Go's longest. */
export const duration = (description: string): DocumentSchema<string> => ({
  type: "string",
  pattern: `^${goDuration}$`,
  errorMessage: durationMessage,
  description,
  check: (value, path) =>
    parseDuration(String(value)) === undefined ? [invalid(path, value, durationMessage)] : [],
});

/** The version of all documents that are ours. */
export const trimtabApiVersion = "trimtab.dev/v1alpha1";

/** The first members of a document that is ours. */
export const trimtabHead = (kind: string) => ({
  apiVersion: constant("The version of this format.", trimtabApiVersion),
  kind: constant("The kind of this file.", kind),
});
