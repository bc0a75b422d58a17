import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stories } from "../../ui/playground/stories.ts";
import { readPage } from "./markdown.ts";

const folder = fileURLToPath(new URL("../../docs/tutorials/", import.meta.url));
const files = readdirSync(folder);
const tutorials = files.filter((file) => file !== "README.md");

test.for(tutorials)("%s says what it is for, tries it, shows why, and undoes it", (file) => {
  const headings = [...readPage(`docs/tutorials/${file}`).matchAll(/^## (.+)$/gm)];
  expect(headings.map(([, heading]) => heading)).toEqual(["What it is for", "Try it", "See why", "Undo it"]);
});

test.for(files)("%s links to files that exist", (file) => {
  const links = [...readPage(`docs/tutorials/${file}`).matchAll(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g)];
  const paths = links.map(([, link = ""]) => path.join(folder, link));
  expect(paths).not.toEqual([]);
  expect(paths.filter((each) => !existsSync(each))).toEqual([]);
});

test.for(tutorials)("%s names two stories of the playground, both of one proposal", (file) => {
  const [, first, second] =
    /--story ([\w-]+)`, and `([\w-]+)`/.exec(readPage(`docs/tutorials/${file}`)) ?? [];
  const named = stories.filter(({ name }) => name === first || name === second);
  expect(named).toHaveLength(2);
  expect(new Set(named.map(({ proposal }) => proposal)).size).toBe(1);
});

test("the index has every tutorial, and names the command as the package does", () => {
  const index = readPage("docs/tutorials/README.md");
  expect(tutorials.filter((file) => !index.includes(`](${file})`))).toEqual([]);
  const { bin } = JSON.parse(readPage("package.json")) as { readonly bin: Readonly<Record<string, string>> };
  expect(index).toContain(`alias trimtab="node $PWD/${bin["trimtab"]}"`);
});
