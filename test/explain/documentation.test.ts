import { expect, test } from "vitest";
import { typed } from "../cli/type-command.ts";
import { codeBlocks, readPage } from "../docs/markdown.ts";

const blocks = codeBlocks(readPage("docs/explain.md"));
const examples = blocks.flatMap(({ language, text }, index) => {
  const isExample = language === "sh" && text.includes("--snapshot");
  return isExample ? [{ command: text.trim(), want: blocks[index + 1]?.text ?? "" }] : [];
});

// The answers are texts for people: each was read before it was written down.
test.for(examples)("docs/explain.md has what `$command` prints, to the byte", async ({ command, want }) => {
  const [, ...words] = command.split(" ");
  const { out, err } = await typed(...words);
  expect(err).toBe("");
  expect(`${out}\n`).toBe(want);
});

test("docs/explain.md has examples", () => {
  expect(examples).toHaveLength(4);
});
