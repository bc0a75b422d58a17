import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A page of the site, in Markdown. */
export interface SourcePage {
  /** From the root of the repository; for pages that are generated, where the file would be. */
  readonly file: string;
  readonly text: string;
}

const folders = ["docs", "examples", "contract", "deploy"];

/** Every Markdown page of the repository that is for people. */
export function readPages(root: string): readonly SourcePage[] {
  const nested = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      path.posix.join(folder, file.replaceAll(path.sep, "/")),
    ),
  );
  return [...readdirSync(root), ...nested]
    .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));
}

/** Where a page is on the site, so that links from page to page stay relative to each other. */
export function addressOf(file: string): string {
  return file.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");
}

/** The first heading. */
export function titleOf({ file, text }: SourcePage): string {
  const [, title = file] = /^# (.+)$/m.exec(text) ?? [];
  return title.replaceAll("`", "");
}

/** The way from one page of the site to another. */
export function wayFrom(address: string, target: string): string {
  return path.posix.relative(path.posix.dirname(address), target);
}
