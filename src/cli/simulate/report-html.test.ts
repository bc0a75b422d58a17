import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { embeddedJson, reportHtml } from "./report-html.ts";

test.for([
  { name: "the end of the script", text: "</script><script>alert(1)</script>" },
  { name: "a comment", text: "<!-- <script>" },
  { name: "entities", text: "&lt;&#x3c;" },
  { name: "line separators", text: "\u2028\u2029" },
  { name: "quotes and backslashes", text: "\\\"'`\\u003c${1}" },
  { name: "half of a surrogate pair", text: "\ud800" },
])("$name in a name stays text", ({ text }) => {
  const json = embeddedJson({ [text]: [text] });
  expect(json).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(json)).toEqual({ [text]: [text] });
});

test("the page allows its own script and style by their hashes, and no network", () => {
  const bundle = { script: 'const x = "</script><!--";', style: 'a::before { content: "</style>" }' };
  const html = reportHtml({ name: "</script>" }, bundle);
  const [, style = ""] = /<style>(.*)<\/style>\n/.exec(html) ?? [];
  const [, script = ""] = /<script>(.*)<\/script>\n<\/body>/.exec(html) ?? [];
  expect(html.match(/<\/(script|style)/g)).toEqual(["</style", "</script", "</script"]);
  const hash = (text: string) => createHash("sha256").update(text).digest("base64");
  expect(html).toContain(
    `content="default-src 'none'; script-src 'sha256-${hash(script)}'; style-src 'sha256-${hash(style)}';`,
  );
  expect(html).not.toMatch(/(src|href)="(?!data:,")/);
});
