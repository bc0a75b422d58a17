import type { Json, JsonObject } from "../../../../api/json.ts";

/** A schema of one field of the spec, its value, and the errors. */
export interface ValueCase {
  readonly name: string;
  readonly schema: JsonObject;
  readonly value: Json;
  readonly want: readonly string[];
}

const integer = { type: "integer" };
const text = { type: "string" };

export const valueCases: readonly ValueCase[] = [
  {
    name: "a text for an integer",
    schema: integer,
    value: "a",
    want: ['spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"'],
  },
  {
    name: "a fraction for an integer",
    schema: integer,
    value: 1.5,
    want: [
      'spec.n: Invalid value: "number": spec.n in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.n',
    ],
  },
  { name: "a whole number with a fraction of zero", schema: integer, value: 3, want: [] },
  {
    name: "null where it is not allowed",
    schema: integer,
    value: null,
    want: ['spec.n: Invalid value: "null": spec.n in body must be of type integer: "null"'],
  },
  { name: "null where it is allowed", schema: { ...integer, nullable: true }, value: null, want: [] },
  {
    name: "a value outside of the enum",
    schema: { ...text, enum: ["A", "B"] },
    value: "C",
    want: ['spec.n: Unsupported value: "C": supported values: "A", "B"'],
  },
  {
    name: "a fraction of an allowed integer, which is compared without it",
    schema: { type: "number", enum: [1, 2] },
    value: 1.5,
    want: [],
  },
  {
    name: "a text that is too long, in code points",
    schema: { ...text, maxLength: 2 },
    value: "😀😀😀",
    want: ["spec.n: Too long: may not be more than 2 bytes"],
  },
  { name: "a text of two code points", schema: { ...text, maxLength: 2 }, value: "😀😀", want: [] },
  {
    name: "a text that is too short",
    schema: { ...text, minLength: 1 },
    value: "",
    want: ['spec.n: Invalid value: "": spec.n in body should be at least 1 chars long'],
  },
  {
    name: "a text that does not match",
    schema: { ...text, pattern: "^[a-z]+$" },
    value: "A",
    want: ["spec.n: Invalid value: \"A\": spec.n in body should match '^[a-z]+$'"],
  },
  {
    name: "a pattern with a flag inside",
    schema: { ...text, pattern: "^(?i)(abort|warn)?$" },
    value: "ABORT",
    want: [],
  },
  {
    name: "a text of another format",
    schema: { ...text, format: "date-time" },
    value: "x",
    want: ['spec.n: Invalid value: "x": spec.n in body must be of type date-time: "x"'],
  },
  { name: "an unknown format", schema: { ...text, format: "foo" }, value: "x", want: [] },
  { name: "an array for a text with a format", schema: { ...text, format: "date" }, value: [], want: [] },
  {
    name: "a number above the maximum",
    schema: { ...integer, maximum: 10 },
    value: 11,
    want: ["spec.n: Invalid value: 11: spec.n in body should be less than or equal to 10"],
  },
  {
    name: "a number at an exclusive minimum",
    schema: { ...integer, minimum: 0, exclusiveMinimum: true },
    value: 0,
    want: ["spec.n: Invalid value: 0: spec.n in body should be greater than 0"],
  },
  {
    name: "a number beyond 32 bits",
    schema: { ...integer, format: "int32" },
    value: 3_000_000_000,
    want: ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.n'],
  },
  {
    name: "a boolean for an integer with a format",
    schema: { ...integer, format: "int32" },
    value: true,
    want: ['spec.n: Invalid value: "": spec.n in body must be of type int32: ""'],
  },
  {
    name: "no multiple",
    schema: { ...integer, multipleOf: 5 },
    value: 7,
    want: ["spec.n: Invalid value: 7: spec.n in body should be a multiple of 5"],
  },
  { name: "a multiple of a fraction", schema: { type: "number", multipleOf: 0.1 }, value: 0.3, want: [] },
  {
    name: "too many items",
    schema: { type: "array", items: text, maxItems: 2 },
    value: ["a", "b", "c"],
    want: ["spec.n: Too many: 3: must have at most 2 items"],
  },
  {
    name: "too few items",
    schema: { type: "array", items: text, minItems: 1 },
    value: [],
    want: ["spec.n: Invalid value: 0: spec.n in body should have at least 1 items"],
  },
  {
    name: "an item of another type",
    schema: { type: "array", items: text },
    value: ["a", 1],
    want: ['spec.n[1]: Invalid value: "integer": spec.n[1] in body must be of type string: "integer"'],
  },
  {
    name: "too few and too many properties",
    schema: { type: "object", additionalProperties: text, minProperties: 3, maxProperties: 1 },
    value: { a: "", b: "" },
    want: [
      "spec.n: Invalid value: 2: spec.n in body should have at least 3 properties",
      "spec.n: Too many: 2: must have at most 1 item",
    ],
  },
  {
    name: "a value of a map",
    schema: { type: "object", additionalProperties: text },
    value: { k: 1 },
    want: ['spec.n.k: Invalid value: "integer": spec.n.k in body must be of type string: "integer"'],
  },
  {
    name: "a property that is forbidden",
    schema: { type: "object", additionalProperties: false },
    value: { k: 1 },
    want: ['spec.n: Invalid value: "k": spec.n.k in body is a forbidden property'],
  },
  {
    name: "a required field that is absent",
    schema: { type: "object", properties: { a: text }, required: ["a"] },
    value: {},
    want: ["spec.n.a: Required value"],
  },
  {
    name: "neither an integer nor a text",
    schema: { "x-kubernetes-int-or-string": true, anyOf: [integer, text] },
    value: true,
    want: [
      'spec.n: Invalid value: "boolean": spec.n in body must be of type integer,string: "boolean"',
      '<nil>: Invalid value: "": "spec.n" must validate at least one schema (anyOf)',
      'spec.n: Invalid value: "boolean": spec.n in body must be of type integer: "boolean"',
    ],
  },
  {
    name: "none of oneOf",
    schema: {
      type: "object",
      properties: { a: text, b: text },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    value: {},
    want: [
      '<nil>: Invalid value: "": "spec.n" must validate one and only one schema (oneOf). Found none valid',
      "spec.n.a: Required value",
    ],
  },
  {
    name: "both of oneOf",
    schema: {
      type: "object",
      properties: { a: text, b: text },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    value: { a: "", b: "" },
    want: [
      '<nil>: Invalid value: "": "spec.n" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  },
  {
    name: "none of allOf",
    schema: { ...integer, allOf: [{ maximum: 1 }] },
    value: 2,
    want: [
      "spec.n: Invalid value: 2: spec.n in body should be less than or equal to 1",
      '<nil>: Invalid value: "": "spec.n" must validate all the schemas (allOf). None validated',
    ],
  },
  {
    name: "what must not be",
    schema: { ...text, not: { enum: ["a"] } },
    value: "a",
    want: ['<nil>: Invalid value: "": "spec.n" must not validate the schema (not)'],
  },
];
