import { expect, test } from "vitest";
import type { JsonObject } from "../../../../api/json.ts";
import { applyDefaults } from "./apply-defaults.ts";
import { pruneObject } from "./prune.ts";
import { readStructuralSchema } from "./read-structural-schema.ts";

const text = { type: "string" };
const keepsAll = { "x-kubernetes-preserve-unknown-fields": true };

function specOf(properties: JsonObject): JsonObject {
  return { type: "object", properties: { spec: { type: "object", properties } } };
}

test.for([
  {
    name: "an unknown field",
    fields: { a: text },
    spec: { a: "", b: 1 },
    want: { a: "" },
    unknown: ["spec.b"],
  },
  {
    name: "unknown fields of items",
    fields: { l: { type: "array", items: { type: "object", properties: { a: text } } } },
    spec: { l: [{ a: "", b: 1 }] },
    want: { l: [{ a: "" }] },
    unknown: ["spec.l[0].b"],
  },
  {
    name: "fields of the values of a map without a schema",
    fields: { m: { type: "object", additionalProperties: true } },
    spec: { m: { k: { a: 1 }, j: 1 } },
    want: { m: { k: {}, j: 1 } },
    unknown: ["spec.m.k.a"],
  },
  {
    name: "nothing that is preserved, but inside declared fields",
    fields: { p: { type: "object", ...keepsAll, properties: { a: { type: "object" } } } },
    spec: { p: { a: { x: 1 }, b: { y: 1 } } },
    want: { p: { a: {}, b: { y: 1 } } },
    unknown: ["spec.p.a.x"],
  },
  {
    name: "not the metadata of an embedded resource",
    fields: { e: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: text } } },
    spec: { e: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, status: {} } },
    want: { e: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } } },
    unknown: ["spec.e.status"],
  },
  {
    name: "a field called __proto__",
    fields: { a: text },
    spec: JSON.parse('{"__proto__": {"x": 1}}') as JsonObject,
    want: {},
    unknown: ["spec.__proto__"],
  },
])("pruning removes $name", ({ fields, spec, want, unknown }) => {
  const head = { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "x" } };
  const { value, unknownFields } = pruneObject({ ...head, spec }, readStructuralSchema(specOf(fields)));
  expect(value).toEqual({ ...head, spec: want });
  expect(unknownFields).toEqual(unknown);
});

test.for([
  { name: "an absent field", fields: { n: { type: "integer", default: 1 } }, spec: {}, want: { n: 1 } },
  {
    name: "no field that is there",
    fields: { n: { type: "integer", default: 1 } },
    spec: { n: 2 },
    want: { n: 2 },
  },
  { name: "a null", fields: { n: { type: "integer", default: 1 } }, spec: { n: null }, want: { n: 1 } },
  {
    name: "no null that is allowed",
    fields: { n: { type: "integer", default: 1, nullable: true } },
    spec: { n: null },
    want: { n: null },
  },
  {
    name: "no null without a default, which goes",
    fields: { n: { type: "integer" } },
    spec: { n: null },
    want: {},
  },
  {
    name: "the fields of a default",
    fields: { o: { type: "object", default: {}, properties: { a: { ...text, default: "x" } } } },
    spec: {},
    want: { o: { a: "x" } },
  },
  {
    name: "no fields of a parent that is absent",
    fields: { o: { type: "object", properties: { a: { ...text, default: "x" } } } },
    spec: {},
    want: {},
  },
  {
    name: "a null item, which stays null without a default",
    fields: { l: { type: "array", items: { ...text, default: "x" } }, k: { type: "array", items: text } },
    spec: { l: [null], k: [null] },
    want: { l: ["x"], k: [null] },
  },
])("defaulting fills $name", ({ fields, spec, want }) => {
  expect(applyDefaults({ spec }, readStructuralSchema(specOf(fields)))).toEqual({ spec: want });
});
