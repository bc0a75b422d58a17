import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../api/json.ts";
import { applyMergePatch, mergeJson } from "./merge-patch.ts";

/** The table of RFC 7386, appendix A. */
const standard: readonly (readonly [Json, Json, Json])[] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe("merge patch", () => {
  test.for(standard)("turns %j by %j into %j", ([target, patch, want]) => {
    expect(mergeJson(target, patch)).toEqual(want);
  });

  test("shares what it does not touch", () => {
    const document = { kept: { deep: [1] }, changed: { a: 1, list: [1] } };
    const result = applyMergePatch(document, { changed: { a: 2, list: [1] } });
    expect(result).toEqual({ ok: true, value: { kept: { deep: [1] }, changed: { a: 2, list: [1] } } });
    if (!result.ok) return;
    expect(result.value.kept).toBe(document.kept);
    expect((result.value.changed as JsonObject).list).toBe(document.changed.list);
    expect(document.changed.a).toBe(1);
  });

  test("hands back the same document when nothing changes", () => {
    const document = { a: { b: [1, { c: null }] } };
    const result = applyMergePatch(document, { a: { b: [1, { c: null }] }, gone: null });
    expect(result.ok && result.value).toBe(document);
  });

  test("takes only an object for a patch", () => {
    expect(applyMergePatch({}, [])).toMatchObject({ ok: false, code: 400 });
  });

  test.for(["__proto__", "constructor", "prototype"])("refuses the key %s, however deep", (key) => {
    const patch = JSON.parse(`{"metadata":{"labels":[{"${key}":{"polluted":true}}]}}`) as Json;
    expect(applyMergePatch({}, patch)).toMatchObject({ ok: false, code: 400 });
    expect("polluted" in {}).toBe(false);
  });

  test("refuses nesting without end", () => {
    const depth = 100_000;
    const patch = JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`) as Json;
    expect(applyMergePatch({}, patch)).toMatchObject({ ok: false, code: 400 });
  });

  test("applied twice is applied once", () => {
    const object = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const once = applyMergePatch(document, patch);
        if (!once.ok) return;
        const twice = applyMergePatch(once.value, patch);
        expect(twice.ok && twice.value).toBe(once.value);
      }),
    );
  });
});
