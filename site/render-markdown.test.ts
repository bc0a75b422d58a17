import { expect, test } from "vitest";
import { renderMarkdown } from "./render-markdown.ts";

const rendered = (text: string) => renderMarkdown(text, (link) => `to:${link}`, "../playground/index.html");

test.for([
  {
    name: "a link is resolved",
    text: "[a](b.md#c)",
    html: '<p><a href="to:b.md#c">a</a></p>\n',
  },
  {
    name: "what is code stays text",
    text: "```yaml\na: <b> # c\n```",
    html: '<pre tabindex="0"><code class="language-yaml"><span class="word">a</span>: &lt;b&gt; <span class="comment"># c</span></code></pre>\n',
  },
  {
    name: "a story of the playground becomes a link, which the page makes a button of",
    text: "<!-- playground: story=one -->\n",
    html: '<p class="play"><a href="../playground/index.html#story=one">Play this story in your browser</a></p>\n',
  },
])("$name", ({ text, html }) => {
  expect(rendered(text).html).toBe(html);
});

test("a page is found by its parts, each with its heading, and without markup", () => {
  const text = "# Title\n\nAbout *this*.\n\n## A `part`\n\n| a | b |\n| - | - |\n| `c` | [d](e.md) |\n";
  expect(rendered(text).sections).toEqual([
    { heading: "", anchor: "", text: "About this." },
    { heading: "A part", anchor: "a-part", text: "a b c d" },
  ]);
});
