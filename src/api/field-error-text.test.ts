import { expect, test } from "vitest";
import { duplicate, invalid, notFound, required, tooLong, tooMany } from "./field-error.ts";
import { detailsCauses, fieldErrorsText } from "./field-error-text.ts";

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
