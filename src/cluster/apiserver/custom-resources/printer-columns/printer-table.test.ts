import { expect, test } from "vitest";
import type { Json } from "../../../../api/json.ts";
import type { StoredObject } from "../../../../api/object.ts";
import { readStructuralSchema } from "../structural/read-structural-schema.ts";
import { valueAtPath } from "../../../../api/value-at-path.ts";
import { schemaAtPath, selectableText } from "../simple-path.ts";
import { findByPath } from "./find-by-path.ts";
import { parseColumnPath } from "./json-path.ts";
import { printerTable } from "./printer-table.ts";
import { parseTime } from "../../../../api/time.ts";

const now = Number(parseTime("2026-01-02T00:00:00Z"));
const object = {
  apiVersion: "example.com/v1",
  kind: "Foo",
  metadata: { name: "x", creationTimestamp: "2026-01-01T00:00:00Z", annotations: { "a.b/c": "note" } },
  spec: { n: 3.7, list: [{ name: "a" }, { name: "b" }, { name: "c" }], on: true, map: { k: [1] } },
  status: {
    conditions: [
      { type: "Done", status: "False", count: 1 },
      { type: "Ready", status: "True", count: 5 },
    ],
  },
};

function find(path: string): Json | undefined {
  const parsed = parseColumnPath(path);
  return parsed.ok ? findByPath(object, parsed.steps) : `error: ${parsed.error}`;
}

test.for([
  { path: ".spec.n", want: 3.7 },
  { path: ".metadata.annotations['a.b/c']", want: "note" },
  { path: ".metadata.annotations.a\\.b/c", want: "note" },
  { path: ".spec.list[1].name", want: "b" },
  { path: ".spec.list[-1].name", want: "c" },
  { path: ".spec.list[*].name", want: "a" },
  { path: ".spec.list[1:].name", want: "b" },
  { path: ".spec.list[9].name", want: undefined },
  { path: '.status.conditions[?(@.type=="Ready")].status', want: "True" },
  { path: ".status.conditions[?(@.type == 'Ready')].status", want: "True" },
  { path: ".status.conditions[?(@.count>1)].type", want: "Ready" },
  { path: ".status.conditions[?(@.type!='Done')].type", want: "Ready" },
  { path: ".status.conditions[?(@.count)].type", want: "Done" },
  { path: "..conditions[0].type", want: "Done" },
  { path: ".missing.field", want: undefined },
  { path: ".__proto__", want: undefined },
])("the path $path finds $want", ({ path, want }) => {
  expect(find(path)).toEqual(want);
});

test.for(["spec", ".spec.list[", ".a[?(@.b==)]", ".a[?(b==1)]", ".a[::0]", ".a b"])(
  "%s is no path",
  (path) => {
    expect(parseColumnPath(path).ok).toBe(false);
  },
);

function rowOf(...columns: readonly (readonly [type: string, jsonPath: string])[]): readonly unknown[] {
  const table = printerTable(columns.map(([type, jsonPath]) => ({ name: "C", type, jsonPath })));
  return table.cells(object as unknown as StoredObject, now).slice(1);
}

test("cells have the type of their column, and null where there is no such value", () => {
  expect(rowOf(["integer", ".spec.n"], ["number", ".spec.n"], ["string", ".spec.n"])).toEqual([
    3,
    3.7,
    "3.7",
  ]);
  expect(rowOf(["boolean", ".spec.on"], ["integer", ".spec.on"])).toEqual([true, null]);
  expect(rowOf(["string", ".spec.map"], ["string", ".missing"])).toEqual(['{"k":[1]}', null]);
  expect(rowOf(["date", ".metadata.creationTimestamp"], ["date", ".metadata.name"])).toEqual([
    "24h",
    "<invalid>",
  ]);
});

test("a path that is none leaves out its column and the later ones", () => {
  expect(rowOf(["string", ".metadata.name"], ["string", ".a["], ["string", ".spec.n"])).toEqual(["x"]);
});

test("without columns there are name and age", () => {
  const table = printerTable([]);
  expect(table.columns.map(({ name }) => name)).toEqual(["Name", "Age"]);
});

test("many recursive steps over a large object end", () => {
  const deep: Json = Array.from({ length: 2_000 }, () => [[[]]]);
  const parsed = parseColumnPath("..[*]..[*]..[*]..x");
  expect(parsed.ok && findByPath(deep, parsed.steps)).toBeUndefined();
});

test("simple paths name values and schemas", () => {
  expect(valueAtPath(object, ".spec.on")).toBe(true);
  expect(valueAtPath(object, ".spec.list[0]")).toBeUndefined();
  expect(selectableText(object, ".spec.n")).toBe("3.7");
  expect(selectableText(object, ".spec.absent")).toBe("");
  const schema = {
    type: "object",
    properties: { spec: { type: "object", properties: { n: { type: "integer" } } } },
  };
  expect(schemaAtPath(readStructuralSchema(schema), ".spec.n")?.type).toBe("integer");
  expect(schemaAtPath(readStructuralSchema(schema), ".spec.m")).toBeUndefined();
});
