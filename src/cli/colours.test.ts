import { expect, test } from "vitest";
import { textTable } from "../decisions/explain/text-table.ts";
import { ansiPaint, hasColours, showingControls } from "./colours.ts";

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

test("a terminal with colours obeys those and nothing else", () => {
  const out: string[] = [];
  const screen = {
    out: (text: string) => void out.push(text),
    err: () => undefined,
    colours: true,
    interrupted: new AbortController().signal,
  };
  showingControls(screen).out(`${ansiPaint("bad", "web\u001B[2J")} \u001B[5mzone`);
  expect(out).toEqual([`\u001B[31mweb${String.raw`\u001b[2J`}\u001B[0m ${String.raw`\u001b[5m`}zone`]);
});

test("a name with a line break stays one row of its table", () => {
  const [, ...rows] = textTable(["POD", "GOES"], [["web\nno Pod goes", "yes"]]);
  expect(rows).toEqual([String.raw`web\nno Pod goes   yes`]);
});
