import { expect, test } from "vitest";
import { typed } from "../cli/type-command.ts";
import { codeBlocks, readPage, rewritesPages, shellCommands, writePage } from "../docs/markdown.ts";

const file = "docs/what-if.md";
const page = readPage(file);
const printed = codeBlocks(page).filter(({ language }) => language === "text");
const commands = shellCommands(page).filter((command) => command.startsWith("trimtab whatif --snapshot"));

// The answers are texts for people: each was read before it was written down.
test.for(commands.map((command, index) => ({ command, want: printed[index]?.text ?? "" })))(
  "docs/what-if.md has what `$command` prints, to the byte",
  async ({ command, want }) => {
    const [, ...words] = command.split(" ");
    const { out, err } = await typed(...words);
    expect(err).toBe("");
    if (rewritesPages)
      writePage(
        file,
        readPage(file).replace(want, () => `${out}\n`),
      );
    else expect(`${out}\n`).toBe(want);
  },
);

test("docs/what-if.md shows an answer for each command", () => {
  expect(commands).toHaveLength(printed.length);
  expect(commands.length).toBeGreaterThan(1);
});
