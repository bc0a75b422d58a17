import { expect, test } from "vitest";
import { mergedView, viewOf } from "./record-view.ts";
import { EncodingRecord } from "./record.ts";
import type { StoredJson, StoreRecord } from "./store.ts";

const record = (key: string, revision = 1) =>
  new EncodingRecord({ key, revision, object: { kind: "Thing" } as StoredJson });
const shown = (records: Iterable<StoreRecord>) =>
  [...records].map(({ key, revision }) => `${key}@${revision}`);

test("a view of records reads by key, namespace and start", () => {
  const view = viewOf([record("a/x"), record("a/y"), record("ab/x")]);
  expect(view.get("a/y")?.key).toBe("a/y");
  expect(shown(view.records())).toEqual(["a/x@1", "a/y@1", "ab/x@1"]);
  expect(shown(view.records({ namespace: "a", after: "a/x" }))).toEqual(["a/y@1"]);
  expect(view.count({ after: "a/x" })).toBe(2);
});

test("two views merge in key order, and the first one wins", () => {
  const view = mergedView(
    viewOf([record("b", 1), record("d", 1)]),
    viewOf(["a", "b", "c", "e"].map((key) => record(key, 2))),
  );
  expect(shown(view.records())).toEqual(["a@2", "b@1", "c@2", "d@1", "e@2"]);
  expect(shown(view.records({ after: "b" }))).toEqual(["c@2", "d@1", "e@2"]);
  expect([view.get("b")?.revision, view.get("c")?.revision, view.get("z")]).toEqual([1, 2, undefined]);
  expect(view.count()).toBe(5);
});
