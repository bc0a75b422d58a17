import { expect, test } from "vitest";
import { formatFieldError } from "../../../../api/field-error.ts";
import type { Json, JsonObject } from "../../../../api/json.ts";
import { readStructuralSchema } from "./read-structural-schema.ts";
import { valueCases } from "./validate-value.cases.ts";
import { validateAtOnce, type ValidationOptions } from "./validate-value.ts";

function errorsOf(schema: JsonObject, value: Json, options?: ValidationOptions): readonly string[] {
  return (validateAtOnce(value, readStructuralSchema(schema), options) ?? []).map(formatFieldError);
}

function specWith(field: JsonObject): JsonObject {
  return { type: "object", properties: { spec: { type: "object", properties: { n: field } } } };
}

test.for(valueCases)("validation finds $name", ({ schema, value, want }) => {
  expect(errorsOf(specWith(schema), { spec: { n: value } })).toEqual(want);
});

test("a part of an object is named with and without its place", () => {
  const schema = { type: "object", properties: { n: { type: "integer" } } };
  expect(errorsOf(schema, { n: "a" }, { base: "status" })).toEqual([
    'status.n: Invalid value: "string": n in body must be of type integer: "string"',
  ]);
  expect(errorsOf({ type: "integer" }, "a", { base: "spec.default" })).toEqual([
    'spec.default: Invalid value: "string":  in body must be of type integer: "string"',
  ]);
});

const items = {
  type: "object",
  properties: { name: { type: "string" }, n: { type: "integer", maximum: 1 } },
};
const listMap = {
  type: "array",
  items,
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
};

test.for([
  { name: "an unchanged field", schema: { type: "integer", maximum: 1 }, old: 5, value: 5, want: 0 },
  { name: "a changed field", schema: { type: "integer", maximum: 1 }, old: 5, value: 6, want: 1 },
  {
    name: "an unchanged item of a list map that moved",
    schema: listMap,
    old: [{ name: "a", n: 5 }],
    value: [{ name: "b" }, { name: "a", n: 5 }],
    want: 0,
  },
  {
    name: "an unchanged item of an atomic list that changed",
    schema: { type: "array", items },
    old: [{ name: "a", n: 5 }],
    value: [{ name: "a", n: 5 }, { name: "b" }],
    want: 1,
  },
])("an update finds as many errors as are new: $name", ({ schema, old, value, want }) => {
  const errors = errorsOf(
    specWith(schema),
    { spec: { n: value, other: 1 } },
    { old: { spec: { n: old, other: 2 } } },
  );
  expect(errors).toHaveLength(want);
});
