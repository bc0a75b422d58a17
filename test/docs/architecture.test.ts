import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { codeBlocks, readPage } from "./markdown.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readPage("ARCHITECTURE.md");

/** The folders of the map, from its indentation. */
function foldersOfMap(): readonly string[] {
  const map = codeBlocks(page).find(({ text }) => text.startsWith("schema/"))?.text ?? "";
  const parents: string[] = [];
  return map
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, indent = "", name = ""] = /^( *)(\S+)\//.exec(line) ?? [];
      const depth = indent.length / 2;
      parents.splice(depth, parents.length, name);
      return parents.join("/");
    });
}

function subfolders(folder: string): readonly string[] {
  const entries = readdirSync(`${root}${folder}`, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
}

test("the map has every folder of src, and lists a folder's subfolders completely or not at all", () => {
  const listed = foldersOfMap();
  expect(listed.filter((folder) => !existsSync(`${root}${folder}`))).toEqual([]);
  const opened = new Set(listed.filter((folder) => listed.some((other) => other.startsWith(`${folder}/`))));
  expect(opened).toContain("src");
  expect([...opened].flatMap(subfolders).filter((folder) => !listed.includes(folder))).toEqual([]);
});

test("the walk names existing files, and says how many", () => {
  const [, walk = ""] = page.split("## A walk: a Deployment is scaled down\n");
  const files = new Set(
    [...(walk.split("\n## ")[0] ?? "").matchAll(/`(src\/[^`]+\.ts)`/g)].map(([, file]) => file ?? ""),
  );
  expect([...files].filter((file) => !existsSync(`${root}${file}`))).toEqual([]);
  expect(walk).toContain(`Its path leads through ${files.size} source files`);
});

test.for([
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "docs/glossary.md",
  "docs/simulation.md",
  "docs/your-cluster.md",
])("%s names only files and folders that exist", (file) => {
  const text = readPage(file);
  const named = [...text.matchAll(/`((?:src|test|docs|bench|schema|contract|deploy|examples)\/[\w./-]+)`/g)];
  const linked = [...text.matchAll(/\]\(([\w./-]+)\)/g)].filter(() => !file.includes("/"));
  const paths = [...named, ...linked].map(([, path]) => path ?? "");
  expect(paths).not.toEqual([]);
  expect(paths.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
});

test("no import wall is a regular expression with a lookaround, which oxlint ignores without a word", () => {
  expect(readFileSync(`${root}oxlint.config.js`, "utf8")).not.toMatch(/\(\?<?[!=]/);
});

test("no function in decisions/ contains throw", () => {
  const sources = readdirSync(`${root}src/decisions`, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.(?:test|cases|contract))\.ts$/.test(file),
  );
  expect(sources.length).toBeGreaterThan(50);
  const throwing = sources.filter((file) =>
    /^(?!\s*(?:\/?\*|\/\/)).*\bthrow\b/m.test(readFileSync(`${root}src/decisions/${file}`, "utf8")),
  );
  expect(throwing).toEqual([]);
});
