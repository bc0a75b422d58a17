import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../api/json.ts";
import { unknownMembers } from "./json-patch-operation.ts";
import { applyJsonPatch } from "./json-patch.ts";

const cases: readonly {
  readonly name: string;
  readonly document: JsonObject;
  readonly patch: Json;
  readonly want: JsonObject;
}[] = [
  {
    name: "adds a member",
    document: { a: 1 },
    patch: [{ op: "add", path: "/b", value: { c: null } }],
    want: { a: 1, b: { c: null } },
  },
  {
    name: "adds over a member that is there",
    document: { a: 1 },
    patch: [{ op: "add", path: "/a", value: 2 }],
    want: { a: 2 },
  },
  {
    name: "inserts before an element",
    document: { a: [1, 3] },
    patch: [{ op: "add", path: "/a/1", value: 2 }],
    want: { a: [1, 2, 3] },
  },
  {
    name: "appends at the dash and at the length",
    document: { a: [1] },
    patch: [
      { op: "add", path: "/a/-", value: 2 },
      { op: "add", path: "/a/2", value: 3 },
    ],
    want: { a: [1, 2, 3] },
  },
  {
    name: "removes members and elements",
    document: { a: [1, 2, 3], b: 1 },
    patch: [
      { op: "remove", path: "/a/1" },
      { op: "remove", path: "/b" },
    ],
    want: { a: [1, 3] },
  },
  {
    name: "replaces a member that is not there",
    document: { a: 1 },
    patch: [{ op: "replace", path: "/b", value: 2 }],
    want: { a: 1, b: 2 },
  },
  {
    name: "takes an absent value for null",
    document: { a: 1 },
    patch: [{ op: "add", path: "/a" }],
    want: { a: null },
  },
  {
    name: "moves within an array",
    document: { a: [1, 2, 3] },
    patch: [{ op: "move", from: "/a/0", path: "/a/2" }],
    want: { a: [2, 3, 1] },
  },
  {
    name: "copies, and changes only the copy afterwards",
    document: { a: { n: [1] } },
    patch: [
      { op: "copy", from: "/a", path: "/b" },
      { op: "add", path: "/b/n/-", value: 2 },
    ],
    want: { a: { n: [1] }, b: { n: [1, 2] } },
  },
  {
    name: "reads escaped keys",
    document: { "a/b": { "m~n": 1 } },
    patch: [{ op: "replace", path: "/a~1b/m~0n", value: 2 }],
    want: { "a/b": { "m~n": 2 } },
  },
  {
    name: "reads ~01 as ~1",
    document: { "~1": 1 },
    patch: [{ op: "remove", path: "/~01" }],
    want: {},
  },
  {
    name: "goes on after a test that holds, whatever the order of keys",
    document: { a: { x: 1, y: [null] } },
    patch: [
      { op: "test", path: "/a", value: { y: [null], x: 1 } },
      { op: "add", path: "/b", value: 1 },
    ],
    want: { a: { x: 1, y: [null] }, b: 1 },
  },
  {
    name: "takes a test for null as a test for absence",
    document: {},
    patch: [
      { op: "test", path: "/a", value: null },
      { op: "add", path: "/a", value: 1 },
    ],
    want: { a: 1 },
  },
];

const refusals: readonly { readonly name: string; readonly patch: Json; readonly code: number }[] = [
  { name: "anything but an array", patch: { op: "add" }, code: 400 },
  { name: "an operation that is no object", patch: ["add"], code: 400 },
  { name: "an unknown operation", patch: [{ op: "merge", path: "/a" }], code: 422 },
  { name: "an operation without a name", patch: [{ path: "/a" }], code: 422 },
  { name: "an operation whose name is no text", patch: [{ op: 1, path: "/a" }], code: 400 },
  { name: "an operation whose path is no text", patch: [{ op: "remove", path: 1 }], code: 400 },
  { name: "an operation without a path", patch: [{ op: "remove" }], code: 422 },
  { name: "a move without a source", patch: [{ op: "move", path: "/a" }], code: 422 },
  { name: "a pointer without a slash", patch: [{ op: "remove", path: "a" }], code: 422 },
  { name: "a pointer with a broken escape", patch: [{ op: "remove", path: "/~2" }], code: 422 },
  {
    name: "a pointer through a prototype",
    patch: [{ op: "add", path: "/__proto__/x", value: 1 }],
    code: 400,
  },
  { name: "a pointer of endless steps", patch: [{ op: "remove", path: "/a".repeat(201) }], code: 400 },
  { name: "the removal of what is not there", patch: [{ op: "remove", path: "/z" }], code: 422 },
  {
    name: "the replacement of an element that is not there",
    patch: [{ op: "replace", path: "/list/2", value: 1 }],
    code: 422,
  },
  { name: "a path through a missing parent", patch: [{ op: "add", path: "/z/y", value: 1 }], code: 422 },
  { name: "a path through a scalar", patch: [{ op: "add", path: "/n/y", value: 1 }], code: 422 },
  {
    name: "a path through what objects inherit",
    patch: [{ op: "test", path: "/toString", value: 1 }],
    code: 422,
  },
  { name: "an index beyond the end", patch: [{ op: "add", path: "/list/3", value: 1 }], code: 422 },
  { name: "an index with a leading zero", patch: [{ op: "add", path: "/list/01", value: 1 }], code: 422 },
  { name: "a negative index", patch: [{ op: "remove", path: "/list/-1" }], code: 422 },
  { name: "the element after the last", patch: [{ op: "remove", path: "/list/-" }], code: 422 },
  { name: "a test that fails", patch: [{ op: "test", path: "/n", value: "1" }], code: 422 },
  { name: "a move into itself", patch: [{ op: "move", from: "/list/0", path: "/list/0/x" }], code: 422 },
  { name: "the removal of everything", patch: [{ op: "remove", path: "" }], code: 422 },
  {
    name: "the replacement of everything",
    patch: [{ op: "replace", path: "", value: { b: 2 } }],
    code: 422,
  },
  {
    name: "more operations than the limit",
    patch: Array.from({ length: 10_001 }, () => ({ op: "test", path: "/n", value: 1 })),
    code: 413,
  },
  {
    name: "copies that double without end",
    patch: Array.from({ length: 64 }, (_, step) => ({
      op: "copy",
      from: "/chain",
      path: `/chain/copy${step}`,
    })),
    code: 413,
  },
  {
    name: "moves that nest without end",
    patch: Array.from({ length: 201 }, () => [
      { op: "add", path: "/next", value: {} },
      { op: "move", from: "/chain", path: "/next/chain" },
      { op: "move", from: "/next", path: "/chain" },
    ]).flat(),
    code: 422,
  },
];

describe("JSON patch", () => {
  test.for(cases)("$name", ({ document, patch, want }) => {
    const before = structuredClone(document);
    expect(applyJsonPatch(document, patch)).toEqual({ ok: true, value: want });
    expect(document).toEqual(before);
  });

  test.for(refusals)("refuses $name", ({ patch, code }) => {
    const document = { n: 1, list: [{}, 2], chain: {} };
    expect(applyJsonPatch(document, patch)).toMatchObject({ ok: false, code });
    expect(document).toEqual({ n: 1, list: [{}, 2], chain: {} });
  });

  test("says which operation failed", () => {
    const patch = [
      { op: "test", path: "/a", value: 1 },
      { op: "remove", path: "/b/c" },
    ];
    expect(applyJsonPatch({ a: 1 }, patch)).toMatchObject({
      message: `operation 1 (remove): the path "/b/c" does not exist`,
    });
  });

  test("shares what it does not touch", () => {
    const document = { kept: { a: 1 }, changed: { inner: { b: 1 }, n: 1 } };
    const result = applyJsonPatch(document, [{ op: "replace", path: "/changed/n", value: 2 }]);
    if (!result.ok) throw new Error(result.message);
    expect(result.value.kept).toBe(document.kept);
    expect((result.value.changed as JsonObject).inner).toBe(document.changed.inner);
  });

  test("edits a wide object ten thousand times without copying it each time", () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`key${n}`, n]));
    const patch = Array.from({ length: 10_000 }, (_, n) => ({ op: "remove", path: `/wide/key${n}` }));
    const result = applyJsonPatch({ wide }, patch);
    expect(result.ok && Object.keys(result.value.wide as JsonObject)).toHaveLength(10_000);
  });

  test("names the members no operation has", () => {
    const patch = [{ op: "add", path: "/a", value: 1 }, { op: "remove", path: "/b", vaule: 1 }, 7];
    expect(unknownMembers(patch)).toEqual([`json patch unknown field "[1].vaule"`]);
  });
});
