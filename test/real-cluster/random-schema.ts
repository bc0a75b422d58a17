import type { Json, JsonObject } from "../../src/api/json.ts";
import { type Random, randomInt } from "../../src/machinery/random/random.ts";

/** Draws one of some values. */
function oneOf<T>(random: Random, values: readonly T[]): T {
  const value = values[randomInt(random, values.length)];
  if (value === undefined) throw new Error("there is nothing to choose from");
  return value;
}

/** Is true with a probability. */
const chance = (random: Random, probability: number): boolean => random.next() < probability;

const letters = ["a", "b", "c", "d", "e-f", "namespace"];

/** The schema of an object, as most definitions have it: properties of all types, nested a few levels deep. */
export function randomObjectSchema(random: Random, depth = 3): JsonObject {
  const names = letters.filter(() => chance(random, 0.6));
  const properties = Object.fromEntries(names.map((name) => [name, randomSchema(random, depth - 1)]));
  return {
    type: "object",
    properties,
    ...(chance(random, 0.4) && { required: names.filter(() => chance(random, 0.3)) }),
    ...(chance(random, 0.15) && { minProperties: randomInt(random, 3) }),
    ...(chance(random, 0.15) && { maxProperties: 2 + randomInt(random, 4) }),
    ...(chance(random, 0.15) && { "x-kubernetes-preserve-unknown-fields": true }),
    ...(chance(random, 0.15) && { "x-kubernetes-map-type": "atomic" }),
    ...(chance(random, 0.25) && names.length > 1 && combination(random, names)),
    ...whenAbsent(random),
    ...ruled(random, [
      "has(self.a) || has(self.b)",
      "size(self.c) > 1",
      "self == oldSelf",
      "true",
      "!has(self.a) || has(self.d)",
    ]),
  };
}

function whenAbsent(random: Random): JsonObject {
  return {
    ...(chance(random, 0.15) && { nullable: true }),
    ...(chance(random, 0.15) && { default: {} }),
  };
}

function combination(random: Random, names: readonly string[]): JsonObject {
  const branch = (): JsonObject => ({ required: [oneOf(random, names)] });
  const keyword = oneOf(random, ["anyOf", "oneOf", "allOf", "not"]);
  return { [keyword]: keyword === "not" ? branch() : [branch(), branch()] };
}

/** Rules are drawn without regard to the schema: those that do not compile are refused with the same sentence. */
function ruled(random: Random, rules: readonly string[]): JsonObject {
  if (!chance(random, 0.05)) return {};
  const rule = oneOf(random, rules);
  const message = chance(random, 0.5) && { message: "must follow the rule" };
  const reason = chance(random, 0.3) && {
    reason: oneOf(random, ["FieldValueRequired", "FieldValueForbidden", "FieldValueDuplicate"]),
  };
  return { "x-kubernetes-validations": [{ rule, ...message, ...reason }] };
}

function randomSchema(random: Random, depth: number): JsonObject {
  const scalars = [text, text, integer, integer, number, boolean, intOrString];
  const nested = [list, list, map, (inner: Random) => randomObjectSchema(inner, depth)];
  return oneOf(random, depth > 0 ? [...scalars, ...nested] : scalars)(random, depth);
}

type SchemaOf = (random: Random, depth: number) => JsonObject;

const text: SchemaOf = (random) => ({
  type: "string",
  ...(chance(random, 0.25) && { maxLength: 2 + randomInt(random, 5) }),
  ...(chance(random, 0.2) && { minLength: randomInt(random, 3) }),
  ...(chance(random, 0.2) && {
    pattern: oneOf(random, ["^[a-z]+$", "^(?i)(abort|warn)?$", "a", "^\\d{1,3}$"]),
  }),
  ...(chance(random, 0.2) && { enum: ["a", "b", "abc"] }),
  ...(chance(random, 0.25) && { format: oneOf(random, formats) }),
  ...(chance(random, 0.15) && { default: "a" }),
  ...(chance(random, 0.15) && { nullable: true }),
  ...ruled(random, [
    "self != 'a'",
    "self in ['a', 'b']",
    "self == oldSelf",
    "self.size() < 3",
    "self.find('^[a-z]').endsWith('a')",
    "self < 3",
  ]),
});

const formats = [
  "date-time",
  "date",
  "duration",
  "uuid",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "cidr",
  "uri",
  "byte",
  "password",
  "unheard-of",
  "mac",
  "hexcolor",
];

const integer: SchemaOf = (random) => ({
  type: "integer",
  ...bounds(random),
  ...(chance(random, 0.3) && { format: oneOf(random, ["int32", "int64"]) }),
  ...(chance(random, 0.1) && { multipleOf: 2 }),
  ...(chance(random, 0.1) && { enum: [1, 2, 6] }),
  ...(chance(random, 0.15) && { default: 2 }),
  ...(chance(random, 0.15) && { nullable: true }),
  ...ruled(random, ["self < 3", "self >= oldSelf", "self % 2 == 0", "10 / self > 2", "string(self) == '2'"]),
});

const number: SchemaOf = (random) => ({
  type: "number",
  ...bounds(random),
  ...(chance(random, 0.3) && { format: oneOf(random, ["float", "double"]) }),
  ...(chance(random, 0.1) && { multipleOf: 0.5 }),
  ...(chance(random, 0.15) && { default: 1.5 }),
  ...ruled(random, ["self < 3.0", "self < 3", "double(int(self)) == self"]),
});

function bounds(random: Random): JsonObject {
  return {
    ...(chance(random, 0.3) && {
      maximum: 3 + randomInt(random, 10),
      ...(chance(random, 0.3) && { exclusiveMaximum: true }),
    }),
    ...(chance(random, 0.3) && {
      minimum: randomInt(random, 3),
      ...(chance(random, 0.3) && { exclusiveMinimum: true }),
    }),
  };
}

const boolean: SchemaOf = (random) => ({
  type: "boolean",
  ...(chance(random, 0.3) && { default: chance(random, 0.5) }),
  ...ruled(random, ["self", "self || !oldSelf"]),
});

const intOrString: SchemaOf = (random) => ({
  "x-kubernetes-int-or-string": true,
  ...(chance(random, 0.5) && { anyOf: [{ type: "integer" }, { type: "string" }] }),
  ...(chance(random, 0.2) && { pattern: "^[0-9]+%?$" }),
  ...ruled(random, ["type(self) == int", "self > 5"]),
});

const map: SchemaOf = (random, depth) => ({
  type: "object",
  additionalProperties: randomSchema(random, depth - 1),
  ...(chance(random, 0.3) && { maxProperties: 2 }),
  ...ruled(random, ["self.all(k, k != 'a')", "size(self) == 1 && 'a' in self"]),
});

const list: SchemaOf = (random, depth) => ({
  type: "array",
  ...oneOf(random, [setOf, mapOf, listOf, listOf])(random, depth),
  ...(chance(random, 0.3) && { maxItems: 2 }),
  ...(chance(random, 0.2) && { minItems: 1 }),
  ...ruled(random, [
    "self.size() < 3",
    "self.exists(x, x == 'a')",
    "size(self.filter(i, size(self.filter(j, j == i)) > 1)) == 0",
  ]),
});

const listOf: SchemaOf = (random, depth) => ({
  items: randomSchema(random, depth - 1),
  ...(chance(random, 0.3) && { "x-kubernetes-list-type": "atomic" }),
});

const setOf: SchemaOf = (random) => ({
  items: { type: oneOf(random, ["string", "integer"]) },
  "x-kubernetes-list-type": "set",
});

const mapOf: SchemaOf = (random, depth) => ({
  items: {
    type: "object",
    required: ["a"],
    properties: { a: { type: oneOf(random, ["string", "integer"]) }, b: randomSchema(random, depth - 1) },
  },
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["a"],
});

const strangers: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  7,
  1.5,
  3_000_000_000,
  2,
  6,
  "",
  "a",
  "A",
  "abc",
  "ä€",
  "a\n",
  "10%",
  "10.0.0.1",
  "1h",
  "2024-01-02T03:04:05Z",
  [],
  ["a", "a"],
  [null],
  {},
  { a: 1 },
  { a: null },
  { zz: 1 },
];

/** A value of a schema in most places, and any other one in the rest. */
export function randomValue(random: Random, schema: JsonObject): Json {
  if (chance(random, 0.06)) return oneOf(random, strangers);
  const { type } = schema;
  switch (typeof type === "string" ? type : "") {
    case "object":
      return randomObject(random, schema);
    case "array":
      return Array.from({ length: randomInt(random, 4) }, () =>
        randomValue(random, schema["items"] as JsonObject),
      );
    case "string":
      return oneOf(random, ["a", "b", "abc", "warn", "12", "2024-01-02T03:04:05Z", "10.0.0.1", "1h", "YWI="]);
    case "integer":
      return oneOf(random, [1, 2, 2, 4, 6, 12]);
    case "number":
      return oneOf(random, [1.5, 2, 2.5, 4]);
    case "boolean":
      return chance(random, 0.5);
    default:
      return oneOf(random, [1, "a", "10%", 7]);
  }
}

function randomObject(random: Random, { properties, additionalProperties }: JsonObject): JsonObject {
  if (additionalProperties !== undefined)
    return Object.fromEntries(
      ["a", "k.l", "m"]
        .filter(() => chance(random, 0.5))
        .map((name) => [name, randomValue(random, additionalProperties as JsonObject)]),
    );
  const members = Object.entries(properties as Readonly<Record<string, JsonObject>>)
    .filter(() => chance(random, 0.8))
    .map(([name, schema]) => [name, randomValue(random, schema)] as const);
  return { ...Object.fromEntries(members), ...(chance(random, 0.05) && { unknown: { a: 1 } }) };
}
