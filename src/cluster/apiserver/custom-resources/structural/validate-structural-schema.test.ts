import { expect, test } from "vitest";
import { formatFieldError } from "../../../../api/field-error.ts";
import type { JsonObject } from "../../../../api/json.ts";
import { readStructuralSchema } from "./read-structural-schema.ts";
import { validateListTypes } from "./validate-list-types.ts";
import { validateStructuralSchema } from "./validate-structural-schema.ts";

const text = { type: "string" };

function errorsOf(schema: JsonObject): readonly string[] {
  return validateStructuralSchema(readStructuralSchema(schema), "s").map(formatFieldError);
}

function withField(field: JsonObject): JsonObject {
  return { type: "object", properties: { f: field } };
}

test.for([
  { name: "a plain one", schema: withField(text), want: [] },
  { name: "no type", schema: {}, want: ["s.type: Required value: must not be empty at the root"] },
  {
    name: "another type at the root",
    schema: { type: "string" },
    want: ['s.type: Invalid value: "string": must be object at the root'],
  },
  {
    name: "a list without items",
    schema: withField({ type: "array" }),
    want: ["s.properties[f].items: Required value: must be specified"],
  },
  {
    name: "a field without a type",
    schema: withField({}),
    want: ["s.properties[f].type: Required value: must not be empty for specified object fields"],
  },
  {
    name: "a branch with a type",
    schema: withField({ ...text, oneOf: [{ type: "string" }] }),
    want: ["s.properties[f].oneOf[0].type: Forbidden: must be empty to be structural"],
  },
  {
    name: "a branch with a field of its own",
    schema: { type: "object", anyOf: [{ properties: { a: { minLength: 1 } } }] },
    want: ["s.properties[a]: Required value: because it is defined in s.anyOf[0].properties[a]"],
  },
  {
    name: "int-or-string with its choice",
    schema: withField({
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
    }),
    want: [],
  },
  {
    name: "a pattern that is none",
    schema: withField({ ...text, pattern: "a(" }),
    want: [
      's.properties[f].pattern: Invalid value: "a(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `a(`',
    ],
  },
  {
    name: "more metadata than names",
    schema: {
      type: "object",
      properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
    },
    want: [
      "s.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
    ],
  },
  {
    name: "a default of another type",
    schema: withField({ type: "integer", default: "a" }),
    want: ['s.properties[f].default: Invalid value: "string":  in body must be of type integer: "string"'],
  },
  {
    name: "a default with unknown fields",
    schema: withField({ type: "object", default: { x: 1 } }),
    want: ['s.properties[f].default: Invalid value: {"x":1}: must not have unknown fields'],
  },
  {
    name: "fields and other fields",
    schema: withField({ type: "object", properties: { a: text }, additionalProperties: text }),
    want: [
      "s.properties[f].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
    ],
  },
  {
    name: "a key that may be absent",
    schema: withField({
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", properties: { name: text } },
    }),
    want: [
      "s.properties[f].items.properties[name].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
    ],
  },
  {
    name: "a list type on a text",
    schema: withField({ ...text, "x-kubernetes-list-type": "set" }),
    want: [
      's.properties[f].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
    ],
  },
  {
    name: "a reference",
    schema: withField({ ...text, $ref: "#/x" }),
    want: ["s.properties[f].$ref: Forbidden: $ref is not supported"],
  },
])("validateStructuralSchema answers $name", ({ schema, want }) => {
  expect(errorsOf(schema)).toEqual(want);
});

const named = { type: "object", properties: { name: text, n: { type: "integer" } } };

test.for([
  {
    name: "a set",
    list: { items: text, "x-kubernetes-list-type": "set" },
    value: ["a", "b", "a"],
    want: ['l[2]: Duplicate value: "a"'],
  },
  {
    name: "a list map",
    list: { items: named, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
    value: [{ name: "a" }, { name: "a", n: 1 }],
    want: ['l[1]: Duplicate value: {"name":"a"}'],
  },
  { name: "no atomic list", list: { items: text }, value: ["a", "a"], want: [] },
])("validateListTypes finds repeated items of $name", ({ list, value, want }) => {
  const schema = { type: "object", properties: { l: { type: "array", ...list } } };
  expect(validateListTypes({ l: value }, readStructuralSchema(schema)).map(formatFieldError)).toEqual(want);
});
