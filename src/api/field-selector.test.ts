import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  exactValue,
  type FieldSelector,
  formatFieldSelector,
  matchesFields,
  parseFieldSelector,
} from "./field-selector.ts";

function parsed(text: string): FieldSelector {
  const result = parseFieldSelector(text);
  if (!result.ok) throw new Error(result.error);
  return result.selector;
}

describe("parseFieldSelector reads", () => {
  test.for<{ text: string; want: FieldSelector; canonical?: string }>([
    { text: "", want: [] },
    { text: ",,", want: [], canonical: "" },
    { text: "a=b", want: [{ field: "a", operator: "=", value: "b" }] },
    { text: "a==b", want: [{ field: "a", operator: "=", value: "b" }], canonical: "a=b" },
    { text: "a!=b", want: [{ field: "a", operator: "!=", value: "b" }] },
    { text: "a=", want: [{ field: "a", operator: "=", value: "" }] },
    { text: "=b", want: [{ field: "", operator: "=", value: "b" }] },
    { text: "a!=!b", want: [{ field: "a", operator: "!=", value: "!b" }] },
    {
      text: String.raw`a=x\,y\=z\\`,
      want: [{ field: "a", operator: "=", value: String.raw`x,y=z\ `.trim() }],
    },
    {
      text: "spec.nodeName=n1,metadata.name!=x",
      want: [
        { field: "metadata.name", operator: "!=", value: "x" },
        { field: "spec.nodeName", operator: "=", value: "n1" },
      ],
      canonical: "metadata.name!=x,spec.nodeName=n1",
    },
  ])("$text", ({ text, want, canonical = text }) => {
    expect(parsed(text)).toEqual(want);
    expect(formatFieldSelector(parsed(text))).toBe(canonical);
  });
});

describe("parseFieldSelector refuses", () => {
  test.for([
    { text: "a", want: "invalid selector: 'a'; can't understand 'a'" },
    { text: "b=1,a>1", want: "invalid selector: 'b=1,a>1'; can't understand 'a>1'" },
    { text: "a=b=c", want: "invalid field selector: unescaped character in value: 61" },
    { text: "a===b", want: "invalid field selector: unescaped character in value: 61" },
    { text: String.raw`a=\x`, want: String.raw`invalid field selector: invalid escape sequence: \x` },
    { text: "a=b\\", want: "invalid field selector: invalid escape sequence: \\" },
  ])("$text", ({ text, want }) => {
    expect(parseFieldSelector(text)).toEqual({ ok: false, error: want });
  });
});

describe("matchesFields", () => {
  const fields: Record<string, string> = { "metadata.name": "a", "status.phase": "Running" };
  test.for([
    { text: "", want: true },
    { text: "metadata.name=a,status.phase=Running", want: true },
    { text: "metadata.name=a,status.phase!=Running", want: false },
    { text: "spec.nodeName=", want: true },
    { text: "spec.nodeName!=", want: false },
  ])("$text: $want", ({ text, want }) => {
    expect(matchesFields(parsed(text), (field) => fields[field])).toBe(want);
  });
});

test.for([
  { text: "spec.nodeName=n1,metadata.name=a", want: "n1" },
  { text: "spec.nodeName!=n1", want: undefined },
  { text: "metadata.name=a", want: undefined },
])("exactValue of spec.nodeName in $text is $want", ({ text, want }) => {
  expect(exactValue(parsed(text), "spec.nodeName")).toBe(want);
});

test("any value survives its own canonical form, and any text is read or refused", () => {
  const piece = fc.constantFrom(..."ab.!=,\\\n ä".split(""), "😀");
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");
      const selector: FieldSelector = [{ field: "a.b", operator: "!=", value: text }];
      expect(parseFieldSelector(formatFieldSelector(selector))).toEqual({ ok: true, selector });
      expect(typeof parseFieldSelector(text).ok).toBe("boolean");
    }),
  );
});
