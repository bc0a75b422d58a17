import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { highlight } from "./highlight.ts";
import { escapeHtml } from "./html.ts";
import { addressOf } from "./read-pages.ts";

/** What a link to something in the repository that is no page of Markdown leads to. */
export type LinkedSource =
  /** Copied as it is, at the same address. */
  | { readonly kind: "image"; readonly file: string; readonly address: string }
  /** A page that shows the text of a file, or the names in a folder. */
  | { readonly kind: "text" | "folder"; readonly file: string; readonly address: string };

const image = /\.(?:png|svg)$/;

/** Where a file or folder of the repository is on the site; `undefined` if it is not there. */
export function linkedSource(root: string, linked: string): LinkedSource | undefined {
  const file = linked.replace(/\/$/, "");
  const at = path.join(root, file);
  if (!existsSync(at)) return undefined;
  if (statSync(at).isDirectory()) return { kind: "folder", file, address: `source/${file}/index.html` };
  if (image.test(file)) return { kind: "image", file, address: file };
  return { kind: "text", file, address: `source/${file}.html` };
}

/** The page of a file or folder, and what its own links lead to. */
export function sourceHtml(root: string, { kind, file }: LinkedSource): string {
  const at = path.join(root, file);
  const heading = `<h1><code>${escapeHtml(file)}</code></h1>\n`;
  if (kind === "folder") {
    const names = readdirSync(at).map((name) => `<li>${folderEntry(root, file, name)}</li>`);
    return `${heading}<ul>\n${names.join("\n")}\n</ul>\n`;
  }
  const language = path.extname(file).slice(1);
  return `${heading}<pre tabindex="0"><code>${highlight(readFileSync(at, "utf8"), language)}</code></pre>\n`;
}

/** A page of the folder is linked to; of other files there is the name. */
function folderEntry(root: string, folder: string, name: string): string {
  const file = `${folder}/${name}`;
  if (!name.endsWith(".md")) return `<code>${escapeHtml(name)}</code>`;
  const [, title = name] = /^# (.+)$/m.exec(readFileSync(path.join(root, file), "utf8")) ?? [];
  const way = path.posix.relative(`source/${folder}`, addressOf(file));
  return `<a href="${way}">${escapeHtml(title.replaceAll("`", ""))}</a>`;
}
