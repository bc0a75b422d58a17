import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { typed } from "../cli/type-command.ts";
import { codeBlocks, readPage, shellCommands } from "../docs/markdown.ts";

const page = readPage("docs/what-if.md");
const printed = codeBlocks(page).filter(({ language }) => language === "text");
const commands = shellCommands(page).filter((command) => command.startsWith("trimtab whatif --snapshot"));

/** `TRIMTAB_DOCS=write` writes the answers instead of comparing them; read the difference. */
const isWriting = process.env["TRIMTAB_DOCS"] === "write";

function writePage(from: string, to: string): void {
  const page = readPage("docs/what-if.md").replace(from, () => to);
  writeFileSync(fileURLToPath(new URL("../../docs/what-if.md", import.meta.url)), page);
}

// The answers are texts for people: each was read before it was written down.
test.for(commands.map((command, index) => ({ command, want: printed[index]?.text ?? "" })))(
  "docs/what-if.md has what `$command` prints, to the byte",
  async ({ command, want }) => {
    const [, ...words] = command.split(" ");
    const { out, err } = await typed(...words);
    expect(err).toBe("");
    if (isWriting) writePage(want, `${out}\n`);
    else expect(`${out}\n`).toBe(want);
  },
);

test("docs/what-if.md shows an answer for each command", () => {
  expect(commands).toHaveLength(printed.length);
  expect(commands.length).toBeGreaterThan(1);
});
