import { expect, test } from "vitest";
import { type StoredObject, isBeingDeleted, keyOf } from "./object.ts";

test.for([
  {
    name: "has a deletion timestamp",
    metadata: '{ "deletionTimestamp": "2026-01-01T00:00:00Z" }',
    want: true,
  },
  { name: "has none", metadata: "{}", want: false },
  { name: "has null for one", metadata: '{ "deletionTimestamp": null }', want: false },
  { name: "has no metadata", metadata: "null", want: false },
])("an object that $name is being deleted: $want", ({ metadata, want }) => {
  const object: StoredObject = JSON.parse(`{ "metadata": ${metadata} }`);
  expect(isBeingDeleted(object)).toBe(want);
});

test.for([
  { metadata: { namespace: "default", name: "web" }, want: "default/web" },
  { metadata: { namespace: "", name: "node-1" }, want: "node-1" },
  { metadata: { name: "node-1" }, want: "node-1" },
])("a key is $want", ({ metadata, want }) => {
  expect(keyOf({ metadata })).toBe(want);
});
