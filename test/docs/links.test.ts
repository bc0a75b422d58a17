import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pages, readPage } from "./markdown.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** The text without blocks of code, where brackets and parentheses mean something else. */
const proseOf = (page: string) => page.replaceAll(/^```.*?^```$/gms, "");

/** The anchors that a browser of the repository gives the headings of a page. */
const anchorsOf = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

test.for(pages)("%s links to files and headings that exist", (file) => {
  const links = [...proseOf(readPage(file)).matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = ""]) => link);
  const dead = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [target = "", anchor] = link.split("#");
    const linked = target === "" ? file : path.posix.join(path.posix.dirname(file), target);
    if (!existsSync(path.join(root, linked))) return true;
    return anchor !== undefined && linked.endsWith(".md") && !anchorsOf(readPage(linked)).includes(anchor);
  });
  expect(dead).toEqual([]);
});

test("docs/README.md has every page of docs exactly once, except for the decisions, which have a list of their own", () => {
  const index = readPage("docs/README.md");
  const linked = [...index.matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, link = ""]) => `docs/${link}`);
  const listed = (page: string) => !/^docs\/(README|decisions\/\d.*)\.md$/.test(page);
  const docs = pages.filter((page) => page.startsWith("docs/") && listed(page));
  const times = docs.map((page) => [page, linked.filter((link) => link === page).length] as const);
  // The tutorials are where everyone starts: they are linked to at the top as well.
  expect(times.filter(([page, count]) => count !== (page === "docs/tutorials/README.md" ? 2 : 1))).toEqual(
    [],
  );
});

test("docs/README.md sorts its pages into tutorials, how-to guides, reference and explanation", () => {
  const headings = [...readPage("docs/README.md").matchAll(/^## ([\w-]+)/gm)].map(([, word]) => word);
  expect(headings).toEqual(["Tutorials", "How-to", "Reference", "Explanation"]);
});

test("docs/decisions/README.md has every decision, and says which numbers have none", () => {
  const index = readPage("docs/decisions/README.md");
  const numbers = readdirSync(path.join(root, "docs/decisions")).flatMap((file) => {
    const [number] = /^\d{4}/.exec(file) ?? [];
    if (number !== undefined) expect(index).toContain(`- [${number}](${file}): `);
    return number === undefined ? [] : [Number(number)];
  });
  const last = Math.max(...numbers);
  const holes = Array.from({ length: last }, (_, at) => at + 1).filter((number) => !numbers.includes(number));
  const skipped = [...(/No page ever had ([^,:]*)/.exec(index)?.[1] ?? "").matchAll(/\d{4}/g)];
  expect(skipped.map(([number]) => Number(number))).toEqual(holes);
});

test("examples/README.md has every example once", () => {
  const index = readPage("examples/README.md");
  const folders = readdirSync(path.join(root, "examples")).filter((name) =>
    statSync(path.join(root, "examples", name)).isDirectory(),
  );
  const linked = [...index.matchAll(/\]\(([\w-]+)\/README\.md\)/g)].map(([, name]) => name);
  expect(linked).toHaveLength(folders.length);
  expect(new Set(linked)).toEqual(new Set(folders));
});

test("a story of a proposal has one example", () => {
  const stories = [...readPage("examples/README.md").matchAll(/(?:KEP-\d+|the label), story \d/g)].map(
    ([story]) => story,
  );
  expect(stories).toHaveLength(11);
  expect(new Set(stories).size).toBe(stories.length);
});
