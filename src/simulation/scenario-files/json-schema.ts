import type { Json } from "../../api/json.ts";

/** The part of JSON Schema (draft-07) that the schema of scenarios uses; `checkSchema` interprets exactly this part. */
export interface JsonSchema {
  readonly $schema?: string;
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
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** Absent on an object: any member may be there. */
  readonly additionalProperties?: false | JsonSchema;
  readonly minProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  /** Alternatives of different types. */
  readonly anyOf?: readonly JsonSchema[];
  /** Exactly one of these members has to be there. */
  readonly oneOf?: readonly { readonly required: readonly [string] }[];
  readonly default?: Json;
}

type Members = Readonly<Record<string, JsonSchema>>;

/** A text. */
export const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: "string",
  minLength: 1,
  description,
  ...more,
});

/** A whole number from `minimum` to `maximum`. */
export const integer = (
  description: string,
  [minimum, maximum]: readonly [number, number],
  more: JsonSchema = {},
): JsonSchema => ({ type: "integer", minimum, maximum, description, ...more });

/** One of some words. */
export const choice = (description: string, words: readonly string[]): JsonSchema => ({
  type: "string",
  enum: words,
  description,
});

/** A list. */
export const list = (description: string, items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: "array",
  items,
  description,
  ...more,
});

/** An object with these members and no others. */
export const record = (description: string, properties: Members, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  description,
  properties,
  additionalProperties: false,
  ...more,
});

/** An object of which exactly one of `alternatives` has to be there, besides the other members. */
export const exactlyOneOf = (alternatives: readonly string[]): Pick<JsonSchema, "oneOf"> => ({
  oneOf: alternatives.map((name) => ({ required: [name] as const })),
});

const unit = "(ns|us|µs|μs|ms|s|m|h)";
const goDuration = `(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)${unit}(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)${unit})*)`;

/** A duration such as `5m`, as Go writes them. */
export const duration = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: "string",
  pattern: `^${goDuration}$`,
  errorMessage: "must be a duration such as 90s, 5m or 1h30m",
  description,
  ...more,
});

/** A duration that may be drawn at random. */
export const drawnDuration = (description: string): JsonSchema => ({
  type: "string",
  pattern: `^(${goDuration}(\\.\\.${goDuration})?|normal\\(${goDuration}, ?${goDuration}\\)|exp\\(${goDuration}\\))$`,
  errorMessage: "must be a duration such as 3s, a range such as 1s..5s, normal(MEAN,DEVIATION) or exp(MEAN)",
  description,
});

/** A share: `0.25` or `25%`. */
export const share = (description: string): JsonSchema => ({
  anyOf: [
    { type: "number", minimum: 0, maximum: 1 },
    {
      type: "string",
      pattern: "^(100|[0-9]{1,2}(\\.[0-9]+)?)%$",
      errorMessage: "must be a percentage such as 25%",
    },
  ],
  errorMessage: "must be a share from 0 to 1, or a percentage such as 25%",
  description,
});
