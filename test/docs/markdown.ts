import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** A fenced block of code. */
export interface CodeBlock {
  /** As after the opening fence; empty for printed output. */
  readonly language: string;
  readonly text: string;
}

const root = new URL("../../", import.meta.url);

export function readPage(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

/** `TRIMTAB_GOLDEN=write`: what programs print is written to the pages that show it, instead of being compared. */
export const rewritesPages = process.env["TRIMTAB_GOLDEN"] === "write";

export function writePage(path: string, text: string): void {
  writeFileSync(new URL(path, root), text);
}

/** The pages for people, by their paths: those at the top, the documentation, the examples, the contract and what is deployed. */
export const pages: readonly string[] = [
  ...readdirSync(root),
  ...["docs", "examples", "contract", "deploy"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map(
      (file) => `${folder}/${file}`,
    ),
  ),
].filter((file) => file.endsWith(".md") && !file.includes("node_modules"));

export function codeBlocks(page: string): readonly CodeBlock[] {
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

/** The commands of all shell blocks, one per line, without comments and continuation lines joined. */
export function shellCommands(page: string): readonly string[] {
  return codeBlocks(page)
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
}
