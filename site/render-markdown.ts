import { Marked, type Token, type Tokens } from "marked";
import { highlight } from "./highlight.ts";
import { escapeHtml } from "./html.ts";

/** A part of a page, from one heading to the next, as the search finds it. */
export interface PageSection {
  /** Empty before the first heading. */
  readonly heading: string;
  /** Empty for the beginning of the page. */
  readonly anchor: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly sections: readonly PageSection[];
  /** Headings of the second level. */
  readonly contents: readonly { readonly anchor: string; readonly heading: string }[];
}

/** Where a link of the page leads on the site. */
export type ResolveLink = (link: string) => string;

/** `<!-- playground: story=NAME -->` in a page becomes a button that plays the story beside the text. */
const playground = /^<!-- playground: story=([\w-]+) -->\s*$/;

/** The anchor that a browser of the repository gives a heading, too. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

export function renderMarkdown(text: string, resolve: ResolveLink, playgroundAddress: string): RenderedPage {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading: (html, level, raw) => {
        const anchor = anchorOf(plainText(raw));
        return `<h${level} id="${anchor}">${html} <a class="anchor" href="#${anchor}" aria-hidden="true" tabindex="-1">#</a></h${level}>\n`;
      },
      link: (href, title, html) => {
        const about = title ? ` title="${escapeHtml(title)}"` : "";
        return `<a href="${escapeHtml(resolve(href))}"${about}>${html}</a>`;
      },
      image: (href, _title, alternative) =>
        `<img src="${escapeHtml(resolve(href ?? ""))}" alt="${escapeHtml(alternative)}" loading="lazy">`,
      table: (header, body) =>
        `<div class="wide"><table><thead>${header}</thead><tbody>${body}</tbody></table></div>\n`,
      code: (code, language) =>
        `<pre tabindex="0"><code${language ? ` class="language-${escapeHtml(language)}"` : ""}>${highlight(code, language ?? "")}</code></pre>\n`,
      html: (html) => {
        const [, story] = playground.exec(html) ?? [];
        if (story === undefined) return html;
        const address = `${playgroundAddress}#story=${story}`;
        return `<p class="play"><a href="${address}">Play this story in your browser</a></p>\n`;
      },
    },
  });
  const tokens = marked.lexer(text);
  const sections = sectionsOf(tokens);
  const contents = tokens.flatMap((token) =>
    token.type === "heading" && token["depth"] === 2
      ? [{ anchor: anchorOf(plainText(textOf(token))), heading: plainText(textOf(token)) }]
      : [],
  );
  return { html: marked.parser(tokens), sections, contents };
}

function sectionsOf(tokens: readonly Token[]): readonly PageSection[] {
  const sections: { heading: string; anchor: string; texts: string[] }[] = [
    { heading: "", anchor: "", texts: [] },
  ];
  for (const token of tokens) {
    if (token.type === "heading") {
      const heading = plainText(textOf(token));
      const isTitle = token["depth"] === 1;
      sections.push({ heading: isTitle ? "" : heading, anchor: isTitle ? "" : anchorOf(heading), texts: [] });
    } else sections.at(-1)?.texts.push(wordsOf(token));
  }
  return sections
    .map(({ texts, ...section }) => ({ ...section, text: texts.join(" ").replaceAll(/\s+/g, " ").trim() }))
    .filter(({ heading, text }) => heading !== "" || text !== "");
}

function textOf(token: Token): string {
  return "text" in token && typeof token.text === "string" ? token.text : "";
}

/** What a reader sees of a block, without its markup. */
function wordsOf(token: Token): string {
  if (token.type === "html" || token.type === "space") return "";
  if (token.type === "code") return textOf(token);
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((row) => row.map(({ text }) => plainText(text))).join(" ");
  }
  return plainText(textOf(token));
}

/** Markdown of a line without links, emphasis and code marks. */
function plainText(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^()\s]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
