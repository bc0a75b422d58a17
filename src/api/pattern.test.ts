import { expect, test } from "vitest";
import { newMatchWork, stepsPerPause } from "./match-in-steps.ts";
import { compilePattern, type Pattern } from "./pattern.ts";

function patternOf(source: string): Pattern {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.pattern;
}

/** Returns the result of a generator, whatever its pauses. */
function ended<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

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

// As Go's FindAllString(text, limit) answers.
test.for([
  { source: "[0-9]+", text: "a12b3", want: ["12", "3"] },
  { source: "[0-9]+", text: "a12b3", limit: 1, want: ["12"] },
  { source: "[0-9]+", text: "ab", want: [] },
  { source: "a*", text: "baaac", want: ["", "aaa", ""] },
  { source: "", text: "ab", want: ["", "", ""] },
  { source: "a|ab", text: "abab", want: ["a", "a"] },
  { source: "ab|a", text: "aba", want: ["ab", "a"] },
  { source: "a+?", text: "aaa", want: ["a", "a", "a"] },
  { source: "(?m)^.$", text: "a\nbb\nc", want: ["a", "c"] },
  { source: "\\b\\w", text: "one two", want: ["o", "t"] },
  { source: "\\Bo", text: "oo", want: ["o"] },
  { source: "(?i)K", text: "k\u212a", want: ["k", "\u212a"] },
  { source: ".", text: "😀a", want: ["😀", "a"] },
  { source: "(?s).+\\z", text: "a\nb", want: ["a\nb"] },
  { source: "\\pL{2,}", text: "aé1ß", want: ["aé"] },
  { source: "[^a]", text: "ab\n", want: ["b", "\n"] },
  { source: "(a+)(b+)?", text: "aabab", want: ["aab", "ab"] },
])("the parts of $text that match $source", ({ source, text, limit, want }) => {
  expect(ended(patternOf(source).findAll(text, limit))).toEqual(want);
});

test.for([
  { source: "^(?:[ab]?){900}$", unit: "a", matching: "", other: "c" },
  { source: "(?i)(x|yz)+!\\z", unit: "xYz", matching: "!", other: "?" },
  { source: "\\bend$", unit: "word ", matching: "end", other: "bend" },
])("a long text is matched with $source as a short one", ({ source, unit, matching, other }) => {
  const pattern = patternOf(source);
  for (const text of [matching, other].map((end) => `${unit.repeat(60)}${end}`)) {
    expect(ended(pattern.matchesInSteps(text.padStart(200, unit)))).toBe(pattern.matches(text));
    expect(ended(pattern.findAll(text))).toHaveLength(pattern.matches(text) ? 1 : 0);
  }
  const long = unit.repeat(100_000);
  expect(ended(pattern.matchesInSteps(`${long}${other}`))).toBe(false);
});

test("few steps lie between the pauses of a match, however long the text is", () => {
  const pattern = patternOf("(?:[ab]?){900}[cd]");
  const text = "a".repeat(5_000);
  const work = newMatchWork();
  const steps = pattern.matchesInSteps(text, work);
  let before = 0;
  let most = 0;
  while (steps.next().done !== true) {
    most = Math.max(most, work.steps - before);
    before = work.steps;
  }
  expect(before).toBeGreaterThan(50 * stepsPerPause);
  // A character is not interrupted: it takes each instruction a few times at most.
  expect(most).toBeLessThan(stepsPerPause + 4 * pattern.stepsFor("a"));
});
