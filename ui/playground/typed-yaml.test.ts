import { expect, test } from "vitest";
import { keptIndent, lineOf, replaced, rowOf, startOfRow } from "./typed-yaml.ts";

test.for([
  { line: "", want: "" },
  { line: "  name: a", want: "  " },
  { line: "  spec:", want: "    " },
  { line: "  - name: a", want: "    " },
  { line: "    - - a:", want: "          " },
  { line: "a:\n  b: 1", want: "  " },
])("a line behind $line begins with its spaces", ({ line, want }) => {
  expect(keptIndent(line, line.length)).toBe(want);
});

test("a word takes the place of what was typed of it", () => {
  expect(replaced("spec:\n  repl\n", { from: 8, to: 12, by: "replicas: " })).toEqual({
    text: "spec:\n  replicas: \n",
    caret: 18,
  });
});

test("places have rows, and rows begin somewhere", () => {
  const text = "a\nbc\n";
  expect(rowOf(text, 4)).toEqual({ row: 1, column: 2 });
  expect(startOfRow(text, 1)).toBe(2);
  expect([lineOf("manifest:12:7: kind: Not found"), lineOf("Conflict")]).toEqual([12, undefined]);
});
