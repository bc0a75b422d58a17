import { expect, test } from "vitest";
import {
  detailsCauses,
  duplicate,
  fieldErrorsText,
  forbidden,
  formatFieldError,
  formatFieldPath,
  invalid,
  notFound,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "./field-error.ts";

test.for([
  {
    name: "quotes a text",
    error: invalid("metadata.name", "A", "must be lower case"),
    want: 'metadata.name: Invalid value: "A": must be lower case',
  },
  {
    name: "shows a number bare",
    error: invalid("spec.replicas", -1, "must be greater than or equal to 0"),
    want: "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
  },
  {
    name: "shows an object as JSON",
    error: invalid("spec.selector", { matchLabels: { a: "b" } }, "field is immutable"),
    want: 'spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable',
  },
  { name: "needs no detail", error: required("spec.selector"), want: "spec.selector: Required value" },
  {
    name: "shows no value where there is none",
    error: forbidden("spec", "pod updates may not change fields"),
    want: "spec: Forbidden: pod updates may not change fields",
  },
  {
    name: "never repeats what is too long",
    error: { type: "FieldValueTooLong", field: "metadata.name", value: "aaaa", detail: "" } as const,
    want: "metadata.name: Too long",
  },
  {
    name: "lists what is supported",
    error: notSupported("spec.podReplacementPolicy", "Foo", ["TerminationComplete", "TerminationStarted"]),
    want: 'spec.podReplacementPolicy: Unsupported value: "Foo": supported values: "TerminationComplete", "TerminationStarted"',
  },
])("formatFieldError $name", ({ error, want }) => {
  expect(formatFieldError(error)).toBe(want);
});

test.for([
  {
    name: "shows one error bare",
    errors: [required("spec.selector")],
    want: "spec.selector: Required value",
  },
  {
    name: "brackets several",
    errors: [required("spec.selector"), invalid("spec.replicas", -1, "must be positive")],
    want: "[spec.selector: Required value, spec.replicas: Invalid value: -1: must be positive]",
  },
  {
    name: "says the same thing once",
    errors: [required("spec.selector"), required("spec.selector")],
    want: "spec.selector: Required value",
  },
  { name: "repeats a duplicate", errors: [duplicate("a[1]", "x")], want: 'a[1]: Duplicate value: "x"' },
  { name: "repeats what is missing", errors: [notFound("a", "x")], want: 'a: Not found: "x"' },
  {
    name: "does not repeat what is too long",
    errors: [tooLong("metadata.annotations", 262144)],
    want: "metadata.annotations: Too long: may not be more than 262144 bytes",
  },
  {
    name: "counts what is too much",
    errors: [tooMany("spec.headers", 33, 32)],
    want: "spec.headers: Too many: 33: must have at most 32 items",
  },
  {
    name: "stops after a hundred",
    errors: Array.from({ length: 102 }, () => required("a")),
    want: "[a: Required value, and 2 more]",
  },
])("fieldErrorsText $name", ({ errors, want }) => {
  expect(fieldErrorsText(errors)).toBe(want);
});

test("detailsCauses gives each error its reason, its text without the field, and the field", () => {
  expect(
    detailsCauses([required("spec.selector"), invalid("spec.replicas", -1, "must be positive")]),
  ).toEqual([
    { reason: "FieldValueRequired", message: "Required value", field: "spec.selector" },
    { reason: "FieldValueInvalid", message: "Invalid value: -1: must be positive", field: "spec.replicas" },
  ]);
});

test.for([
  { path: [], want: "" },
  { path: ["spec"], want: "spec" },
  { path: ["spec", "containers", 0, "env", 12, "name"], want: "spec.containers[0].env[12].name" },
  { path: ["metadata", "labels", "example.com/a"], want: "metadata.labels.example.com/a" },
])("$path is $want", ({ path, want }) => {
  expect(formatFieldPath(path)).toBe(want);
});
