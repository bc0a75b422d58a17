import { expect, test } from "vitest";
import { textTable } from "../decisions/explain/text-table.ts";
import { ansiPaint, hasColours } from "./colours.ts";

test.each([
  { stream: { isTTY: true }, env: {}, colours: true },
  { stream: { isTTY: false }, env: {}, colours: false },
  { stream: {}, env: {}, colours: false },
  { stream: { isTTY: true }, env: { NO_COLOR: "1" }, colours: false },
  { stream: { isTTY: true }, env: { NO_COLOR: "" }, colours: true },
  { stream: { isTTY: true }, env: { TERM: "dumb" }, colours: false },
])("colours: $colours on $stream with $env", ({ stream, env, colours }) => {
  expect(hasColours(stream, env)).toBe(colours);
});

test("painted cells are as wide as plain ones", () => {
  const [, row] = textTable(["A", "B"], [[{ text: "x", style: "bad" }, "y"]], ansiPaint);
  expect(row).toBe("\u001B[31mx   \u001B[0my");
});
