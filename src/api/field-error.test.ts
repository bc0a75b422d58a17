import { expect, test } from "vitest";
import { forbidden, formatFieldError, invalid, notSupported, required } from "./field-error.ts";

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
