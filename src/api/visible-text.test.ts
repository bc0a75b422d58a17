import { expect, test } from "vitest";
import { visibleLine, visibleText } from "./visible-text.ts";

test.for([
  { name: "colours", text: "\u001B[31mred", want: String.raw`\u001b[31mred` },
  { name: "the title of a window", text: "\u001B]0;owned\u0007", want: String.raw`\u001b]0;owned\u0007` },
  { name: "8-bit control sequences", text: "\u009B2J", want: String.raw`\u009b2J` },
  { name: "a return to the start of the line", text: "bad\rgood", want: String.raw`bad\u000dgood` },
  { name: "text that is turned round", text: "a\u202Eb\u2066c", want: String.raw`a\u202eb\u2066c` },
  { name: "nothing of ordinary text", text: "web-1 · naïve ✓\n\tnext", want: "web-1 · naïve ✓\n\tnext" },
])("visibleText shows $name", ({ text, want }) => {
  expect(visibleText(text)).toBe(want);
});

test("visibleText leaves the value of a JSON text as it is", () => {
  const value = { name: "\u009B31m\u007F\u202Ex\u001B" };
  expect(JSON.parse(visibleText(JSON.stringify(value, undefined, 2)))).toEqual(value);
});

test("visibleLine lets a name end no line and shift no column", () => {
  expect(visibleLine("web\n0 Pods go\t1")).toBe(String.raw`web\n0 Pods go\t1`);
});
