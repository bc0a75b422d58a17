import { escapeHtml } from "./html.ts";
import type { NavigationGroup } from "./navigation.ts";
import { wayFrom } from "./read-pages.ts";
import type { RenderedPage } from "./render-markdown.ts";

/** What all pages of a site share. */
export interface SiteFrame {
  readonly version: string;
  readonly navigation: readonly NavigationGroup[];
}

export interface ShownPage {
  readonly address: string;
  readonly title: string;
  readonly body: Pick<RenderedPage, "html" | "contents">;
}

/** Scripts and styles are the site's own, and nothing is sent anywhere. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** A whole page. `versions.js` is beside the folder of this version, and lists those that are there. */
export function htmlPage({ version, navigation }: SiteFrame, { address, title, body }: ShownPage): string {
  const way = (target: string) => wayFrom(address, target);
  const root = "../".repeat(address.split("/").length - 1);
  return `<!doctype html>
<html lang="en" data-root="${root}" data-address="${escapeHtml(address)}" data-version="${escapeHtml(version)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title === "Trimtab" ? title : `${title} · Trimtab`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${way("site.css")}">
<script src="${root}../versions.js" defer></script>
<script src="${way("site.js")}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="name" href="${way("index.html")}">Trimtab</a>
<div id="search" role="search"></div>
<a href="${way("playground/index.html")}">Playground</a>
<div id="versions"></div>
</header>
<details class="menu"><summary>Menu</summary></details>
<nav aria-label="Pages">${navigation.map((group) => navigationHtml(group, address)).join("\n")}</nav>
<main id="content">
${body.html}</main>
${contentsHtml(body.contents)}
</body>
</html>
`;
}

function navigationHtml({ title, links }: NavigationGroup, address: string): string {
  const items = links.map((link) => {
    const current = link.address === address ? ' aria-current="page"' : "";
    return `<li><a href="${wayFrom(address, link.address)}"${current}>${escapeHtml(link.title)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
}

function contentsHtml(contents: RenderedPage["contents"]): string {
  if (contents.length < 2) return "";
  const items = contents.map(
    ({ anchor, heading }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`,
  );
  return `<aside aria-label="On this page"><h2>On this page</h2>\n<ul>\n${items.join("\n")}\n</ul></aside>`;
}
