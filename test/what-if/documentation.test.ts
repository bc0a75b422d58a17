import { expect, test } from "vitest";
import { typed } from "../cli/type-command.ts";
import { codeBlocks, readPage, shellCommands } from "../docs/markdown.ts";

const page = readPage("docs/what-if.md");
const printed = codeBlocks(page).filter(({ language }) => language === "text");
const commands = shellCommands(page).filter((command) => command.startsWith("trimtab whatif --snapshot"));

// The answers are texts for people: each was read before it was written down.
test.for(commands.map((command, index) => ({ command, want: printed[index]?.text ?? "" })))(
  "docs/what-if.md has what `$command` prints, to the byte",
  async ({ command, want }) => {
    const [, ...words] = command.split(" ");
    const { out, err } = await typed(...words);
    expect(err).toBe("");
    expect(`${out}\n`).toBe(want);
  },
);

test("docs/what-if.md shows an answer for each command", () => {
  expect(commands).toHaveLength(printed.length);
  expect(commands.length).toBeGreaterThan(1);
});
