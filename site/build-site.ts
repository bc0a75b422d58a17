import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { copyUnpacked } from "./copy-unpacked.ts";
import { type LinkedSource, linkedSource, sourceHtml } from "./linked-sources.ts";
import { navigationOf } from "./navigation.ts";
import { htmlPage, type SiteFrame } from "./page-shell.ts";
import { addressOf, readPages, type SourcePage, titleOf, wayFrom } from "./read-pages.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { subpathsOf, writeReference } from "./reference/write-reference.ts";
import { versionsIn, versionsScript } from "./versions.ts";

export interface SiteOptions {
  /** The repository. */
  readonly root: string;
  /** Where versions are beside each other. */
  readonly out: string;
  /** The bundle of the playground. */
  readonly playground: string;
  /** The name of the folder; absent: the version of package.json. */
  readonly version?: string;
}

export interface BuiltSite {
  /** The folder of this version. */
  readonly folder: string;
  readonly pages: number;
  /** Links that lead nowhere, with the page that has them. */
  readonly dead: readonly string[];
}

const playgroundAddress = "playground/index.html";

/** Writes the pages of one version, and the list of all versions that are there. Its script and style are not written here. */
export function buildSite({ root, out, playground, version }: SiteOptions): BuiltSite {
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    readonly version: string;
    readonly exports: object;
  };
  const name = version ?? manifest.version;
  const folder = path.join(out, name);
  const subpaths = subpathsOf(root, manifest);
  const reference = writeReference(subpaths);
  const pages = [...readPages(root), ...reference];
  const frame = {
    version: name,
    navigation: navigationOf(
      pages,
      reference.map((page) => ({ address: addressOf(page.file), title: titleOf(page) })),
    ),
  };
  const writer = new SiteWriter({ root, folder, frame, pages });
  for (const page of pages) writer.addPage(page);
  copyUnpacked(playground, path.join(folder, "playground"));
  writer.finish();
  const versions = versionsIn(out);
  writeFileSync(path.join(out, "versions.js"), versionsScript(versions));
  writeFileSync(path.join(out, "index.html"), forwardTo(versions[0]?.version ?? name));
  return { folder, pages: writer.addresses.length, dead: writer.dead };
}

interface WriterOptions {
  readonly root: string;
  readonly folder: string;
  readonly frame: SiteFrame;
  readonly pages: readonly SourcePage[];
}

/** Writes pages, and what they link to. */
class SiteWriter {
  readonly addresses: string[] = [];
  readonly dead: string[] = [];
  readonly #options: WriterOptions;
  readonly #files: ReadonlySet<string>;
  readonly #sources = new Map<string, LinkedSource>();
  readonly #found: (readonly [title: string, heading: string, address: string, text: string])[] = [];

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#files = new Set(options.pages.map(({ file }) => file));
  }

  addPage(page: SourcePage): void {
    const address = addressOf(page.file);
    const title = titleOf(page);
    const playground = wayFrom(address, playgroundAddress);
    const body = renderMarkdown(page.text, (link) => this.#resolve(page.file, link), playground);
    this.#write(address, htmlPage(this.#options.frame, { address, title, body }));
    this.addresses.push(address);
    for (const { heading, anchor, text } of body.sections)
      this.#found.push([title, heading, anchor === "" ? address : `${address}#${anchor}`, text]);
  }

  #resolve(file: string, link: string): string {
    if (/^[a-z]+:/.test(link) || link.startsWith("#")) return link;
    const [target = "", anchor] = link.split("#");
    const linked = path.posix.join(path.posix.dirname(file), target);
    const way = (address: string) =>
      wayFrom(addressOf(file), address) + (anchor === undefined ? "" : `#${anchor}`);
    if (this.#files.has(linked)) return way(addressOf(linked));
    const source = linkedSource(this.#options.root, linked);
    if (source === undefined) {
      this.dead.push(`${file}: ${link}`);
      return link;
    }
    this.#sources.set(source.address, source);
    return way(source.address);
  }

  /** Writes what the pages link to, and the files that the search and the versions read. */
  finish(): void {
    const { root, frame } = this.#options;
    for (const source of this.#sources.values()) {
      const { kind, file, address } = source;
      if (kind === "image") this.#write(address, readFileSync(path.join(root, file)));
      else {
        const body = { html: sourceHtml(root, source), contents: [] };
        this.#write(address, htmlPage(frame, { address, title: file, body }));
      }
    }
    this.#write("search.js", `globalThis.trimtabPages = ${JSON.stringify(this.#found)};\n`);
    this.#write("pages.json", JSON.stringify(this.addresses));
  }

  #write(address: string, content: string | Uint8Array): void {
    const file = path.join(this.#options.folder, address);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** The root of the site leads to its newest version. */
function forwardTo(version: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Trimtab</title>
<link rel="icon" href="data:,">
<meta http-equiv="refresh" content="0; url=${version}/index.html">
<p><a href="${version}/index.html">Trimtab ${version}</a></p>
</html>
`;
}
