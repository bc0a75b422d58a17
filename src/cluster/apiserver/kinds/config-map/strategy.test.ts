import { expect, test } from "vitest";
import type { ConfigMap } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { configMapStrategy } from "./strategy.ts";

const key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const mebibyte = 1024 * 1024;

test.for<{ name: string; sent: Sent<ConfigMap>; want: string[] }>([
  { name: "is fine", sent: { data: { "a.b": "c" }, binaryData: { d: "eA==" } }, want: [] },
  {
    name: "has good keys",
    sent: { data: { "a b": "c" } },
    want: [`data[a b]: Invalid value: "a b": ${key}`],
  },
  {
    name: "has keys that are files",
    sent: { data: { "..": "c" } },
    want: ["data[..]: Invalid value: \"..\": must not be '..'"],
  },
  {
    name: "has a key once",
    sent: { data: { a: "b" }, binaryData: { a: "eA==" } },
    want: ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  },
  { name: "has a mebibyte", sent: { data: { a: "x".repeat(mebibyte) } }, want: [] },
  {
    name: "has no more",
    sent: { data: { a: "x".repeat(mebibyte) }, binaryData: { b: "eA==" } },
    want: [": Too long: may not be more than 1048576 bytes"],
  },
])("a ConfigMap $name", ({ sent, want }) => {
  expect(problemsOf(configMapStrategy, sent)).toEqual(want);
});

test("an immutable ConfigMap stays as it is", () => {
  const rule = "Forbidden: field is immutable when `immutable` is set";
  const previous = { immutable: true, data: { a: "b" } };
  expect(problemsOfUpdate(configMapStrategy, { data: { a: "c" } }, previous)).toEqual([
    `immutable: ${rule}`,
    `data: ${rule}`,
  ]);
  expect(problemsOfUpdate(configMapStrategy, previous, previous)).toEqual([]);
  expect(
    problemsOfUpdate(configMapStrategy, { immutable: true, data: { a: "c" } }, { data: { a: "b" } }),
  ).toEqual([]);
});
