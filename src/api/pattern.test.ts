import { expect, test } from "vitest";
import { compilePattern, mostMatchSteps } from "./pattern.ts";

function matches(source: string, text: string): boolean | string {
  const compiled = compilePattern(source);
  return compiled.ok ? compiled.pattern.matches(text) : compiled.error;
}

test.for([
  { name: "any part of the text", source: "b", text: "abc", want: true },
  { name: "the end of the text only, not of a line", source: "^a$", text: "a\n", want: false },
  {
    name: "without regard to case after a flag in the middle",
    source: "^(?i)(abort|warn)?$",
    text: "ABORT",
    want: true,
  },
  { name: "by code points", source: "^.$", text: "😀", want: true },
  { name: "escaped punctuation", source: "^\\-$", text: "-", want: true },
  { name: "named classes", source: "^[[:alpha:]]\\pL$", text: "aé", want: true },
])("a pattern matches $name", ({ source, text, want }) => {
  expect(matches(source, text)).toBe(want);
});

test.for([
  { source: "(?=x)", want: "error parsing regexp: invalid or unsupported Perl syntax: `(?=`" },
  { source: "a(", want: "error parsing regexp: missing closing ): `a(`" },
  { source: "x{1001}", want: "error parsing regexp: invalid repeat count: `{1001}`" },
  { source: "\\1", want: "error parsing regexp: invalid escape sequence: `\\1`" },
])("$source is refused in the words of Go", ({ source, want }) => {
  expect(matches(source, "")).toBe(want);
});

test("a pattern that would become a large program is refused", () => {
  expect(matches(`(${"ab".repeat(500)}){1000}`, "")).toMatch(/^error parsing regexp: expression too large/);
  expect(matches("[a-z]{0,999}".repeat(40), "")).toMatch(/^error parsing regexp: expression too large/);
});

test("finds the parts that match", () => {
  const compiled = compilePattern("[0-9]+");
  if (!compiled.ok) throw new Error(compiled.error);
  expect(compiled.pattern.find("a12b3")).toBe("12");
  expect(compiled.pattern.find("ab")).toBeUndefined();
  expect(compiled.pattern.findAll("a12b3")).toEqual(["12", "3"]);
  expect(compiled.pattern.findAll("a12b3", 1)).toEqual(["12"]);
});

test("counts the steps of a match by the sizes of the pattern and the text", () => {
  const compiled = compilePattern("(?:[ab]?){900}[cd]");
  if (!compiled.ok) throw new Error(compiled.error);
  expect(compiled.pattern.stepsFor("a".repeat(50_000))).toBeLessThan(mostMatchSteps);
  expect(compiled.pattern.stepsFor("a".repeat(60_000))).toBeGreaterThan(mostMatchSteps);
});
