import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatLabelSelection, type LabelRequirement, matchesLabels } from "./label-selector.ts";
import { parseLabelSelector } from "./parse-label-selector.ts";

const keySyntax =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueSyntax =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe("parseLabelSelector reads", () => {
  test.for<{ text: string; want: readonly LabelRequirement[]; canonical?: string }>([
    { text: "", want: [] },
    { text: " \t\r\n", want: [], canonical: "" },
    { text: "a=b", want: [{ operator: "=", key: "a", value: "b" }] },
    { text: "a==b", want: [{ operator: "==", key: "a", value: "b" }] },
    { text: "a!=b", want: [{ operator: "!=", key: "a", value: "b" }] },
    { text: "a=", want: [{ operator: "=", key: "a", value: "" }] },
    { text: "a!=", want: [{ operator: "!=", key: "a", value: "" }] },
    { text: "a>1", want: [{ operator: ">", key: "a", value: "1" }] },
    { text: "a < 05", want: [{ operator: "<", key: "a", value: "05" }], canonical: "a<05" },
    { text: "example.com/a", want: [{ operator: "exists", key: "example.com/a" }] },
    { text: "! a", want: [{ operator: "absent", key: "a" }], canonical: "!a" },
    {
      text: "c,!b,a=x",
      want: [
        { operator: "=", key: "a", value: "x" },
        { operator: "absent", key: "b" },
        { operator: "exists", key: "c" },
      ],
      canonical: "a=x,!b,c",
    },
    {
      text: "a in(z , x,z)",
      want: [{ operator: "in", key: "a", values: ["x", "z"] }],
      canonical: "a in (x,z)",
    },
    { text: "a notin (x)", want: [{ operator: "notin", key: "a", values: ["x"] }] },
    { text: "a in ()", want: [{ operator: "in", key: "a", values: [""] }] },
    { text: "a in (,)", want: [{ operator: "in", key: "a", values: [""] }], canonical: "a in ()" },
    {
      text: "a in (x,,y)",
      want: [{ operator: "in", key: "a", values: ["", "x", "y"] }],
      canonical: "a in (,x,y)",
    },
    { text: "in=notin", want: [{ operator: "=", key: "in", value: "notin" }] },
    { text: "in in (in,notin)", want: [{ operator: "in", key: "in", values: ["in", "notin"] }] },
    { text: "!notin", want: [{ operator: "absent", key: "notin" }] },
  ])("$text", ({ text, want, canonical = text }) => {
    const parsed = parseLabelSelector(text);
    expect(parsed).toEqual({ ok: true, selection: { selects: "matching", requirements: want } });
    expect(parsed.ok && formatLabelSelection(parsed.selection)).toBe(canonical);
  });
});

describe("parseLabelSelector refuses, in Kubernetes' words,", () => {
  test.for([
    { text: "a=b,", want: "found '', expected: identifier after ','" },
    { text: "a in (x),,b", want: "found ',', expected: identifier after ','" },
    { text: ",a", want: "found ',', expected: !, identifier, or 'end of string'" },
    { text: "(a)", want: "found '(', expected: !, identifier, or 'end of string'" },
    { text: "!a=b", want: "found '=', expected: ',' or 'end of string'" },
    { text: "a=b c", want: "found 'c', expected: ',' or 'end of string'" },
    { text: "a b", want: "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt" },
    { text: "a!b", want: "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt" },
    { text: "!", want: "unable to parse requirement: found '', expected: identifier" },
    { text: "!!a", want: "unable to parse requirement: found '!', expected: identifier" },
    { text: "a===b", want: "unable to parse requirement: found '=', expected: identifier" },
    { text: "a>=1", want: "unable to parse requirement: found '=', expected: identifier" },
    { text: "a notin", want: "unable to parse requirement: found '' expected: '('" },
    { text: "a in x", want: "unable to parse requirement: found 'x' expected: '('" },
    { text: "a in (", want: "unable to parse requirement: found '', expected: ',', ')' or identifier" },
    { text: "a in (=)", want: "unable to parse requirement: found '=', expected: ',', ')' or identifier" },
    { text: "a in (x", want: "unable to parse requirement: found '', expected: ',' or ')'" },
    { text: "a in (x y)", want: "unable to parse requirement: found 'y', expected: ',' or ')'" },
    { text: "a in (x,", want: "unable to parse requirement: found '', expected: ',', or identifier" },
    { text: "a in (x,(", want: "unable to parse requirement: found '(', expected: ',', or identifier" },
    {
      text: "a>x",
      want: `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    },
    {
      text: "a<9223372036854775808",
      want: `unable to parse requirement: values[0]: Invalid value: "9223372036854775808": for 'Gt', 'Lt' operators, the value must be an integer`,
    },
    { text: "-a", want: `unable to parse requirement: <nil>: Invalid value: "-a": name part ${keySyntax}` },
    { text: "a=-b", want: `unable to parse requirement: values[0][a]: Invalid value: "-b": ${valueSyntax}` },
    {
      text: "a in (-x,-y)",
      want: `unable to parse requirement: [values[0][a]: Invalid value: "-x": ${valueSyntax}, values[1][a]: Invalid value: "-y": ${valueSyntax}]`,
    },
  ])("$text", ({ text, want }) => {
    expect(parseLabelSelector(text)).toEqual({ ok: false, error: want });
  });
});

test("any text is read or refused, and what is read parses back from its canonical form", () => {
  const alphabet = fc.constantFrom(...Array.from("ab1-_./=!<>(), "), " in ", " notin ");
  fc.assert(
    fc.property(fc.array(alphabet, { maxLength: 30 }), (pieces) => {
      const parsed = parseLabelSelector(pieces.join(""));
      if (!parsed.ok) return parsed.error !== "";
      expect(parseLabelSelector(formatLabelSelection(parsed.selection))).toEqual(parsed);
      return typeof matchesLabels(parsed.selection, { a: "b", b: "1" }) === "boolean";
    }),
  );
});
