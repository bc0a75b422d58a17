import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { withGeneratedPart } from "./compatibility.ts";
import { readPage } from "./markdown.ts";

const path = "docs/compatibility.md";
const root = new URL("../../", import.meta.url);

/** `TRIMTAB_DOCS=write` writes the generated part instead of comparing it. */
const isWriting = process.env["TRIMTAB_DOCS"] === "write";

test("the kinds, verbs, subresources and field selectors are those of the server", () => {
  const page = withGeneratedPart(readPage(path));
  if (isWriting) writeFileSync(fileURLToPath(new URL(path, root)), page);
  // The formatter pads the cells of tables.
  const compact = (text: string) => text.replaceAll(/ {2,}/g, " ").replaceAll(/-{3,}/g, "---");
  expect(compact(readPage(path))).toBe(compact(page));
});

test("every suite that is named exists", () => {
  const suites = [...readPage(path).matchAll(/`(test\/[^`]+|src\/[^`]+\.ts)`/g)].map(([, name = ""]) => name);
  expect(suites.length).toBeGreaterThan(5);
  expect(suites.filter((name) => !existsSync(new URL(name, root)))).toEqual([]);
});
