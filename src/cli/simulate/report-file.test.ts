import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openReport, embeddedJson, reportHtml } from "./report-file.ts";
import { createHash } from "node:crypto";

/** A folder with a script and a style, and the path of a report in it. */
function prepared() {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-report-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "report.js"), "draw()");
  writeFileSync(path.join(folder, "report.css"), "a {}");
  return { folder, file: path.join(folder, "out.html") };
}

test("nothing is written before there are results, and an older report stays until then", () => {
  const { folder, file } = prepared();
  const report = openReport(file, folder);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, "older");
  expect(openReport(file, folder)).toEqual(expect.any(Object));
  expect(readFileSync(file, "utf8")).toBe("older");
  if (typeof report === "string") throw new Error(report);
  expect(report.write({ files: [] })).toBeUndefined();
  expect(readFileSync(file, "utf8")).toContain('id="data">{"files":[]}<');
});

test.for([
  { name: "a folder that is not there", file: "nowhere/out.html", says: /^--report .*out\.html: ENOENT/ },
  { name: "a folder instead of a file", file: ".", says: /^--report .*: EISDIR/ },
  { name: "a bundle that is not built", file: "out.html", bundle: "none", says: /is not built/ },
])("$name is said at once", ({ file, bundle = ".", says }) => {
  const { folder } = prepared();
  expect(openReport(path.join(folder, file), path.join(folder, bundle))).toMatch(says);
  expect(readdirSync(folder).toSorted()).toEqual(["report.css", "report.js"]);
});

test("a report that cannot be written in the end is said, too", () => {
  const { folder, file } = prepared();
  const report = openReport(file, folder);
  rmSync(folder, { recursive: true });
  expect(typeof report === "string" ? report : report.write({ files: [] })).toMatch(/^--report .*: ENOENT/);
});

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
