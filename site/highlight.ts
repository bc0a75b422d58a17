import { escapeHtml } from "./html.ts";

interface Language {
  /** Alternatives in order; each group has the name of a class. */
  readonly pattern: RegExp;
}

const text = String.raw`"[^"\n]*"|'[^'\n]*'`;
const words = (list: string) => String.raw`\b(?:${list.trim().split(/\s+/).join("|")})\b`;
const script: Language = {
  pattern: new RegExp(
    [
      String.raw`(?<comment>//[^\n]*|/\*[^]*?\*/)`,
      `(?<text>${text}|\`[^\`]*\`)`,
      `(?<word>${words("async await class const export extends for from function if implements import in interface let new of readonly return static test type typeof void")})`,
    ].join("|"),
    "g",
  ),
};
const shell: Language = {
  pattern: new RegExp([String.raw`(?<comment>(?<=^|\s)#[^\n]*)`, `(?<text>${text})`].join("|"), "gm"),
};
const languages: Readonly<Record<string, Language>> = {
  bash: shell,
  sh: shell,
  go: script,
  java: script,
  js: script,
  mjs: script,
  mts: script,
  proto: script,
  ts: script,
  json: { pattern: new RegExp(`(?<text>${text})`, "g") },
  py: {
    pattern: new RegExp(
      [
        String.raw`(?<comment>#[^\n]*)`,
        `(?<text>${text})`,
        `(?<word>${words("as async await class def for from if import in lambda not or return self while with yield")})`,
      ].join("|"),
      "g",
    ),
  },
  yaml: {
    pattern: new RegExp(
      [
        String.raw`(?<comment>(?<=^|\s)#[^\n]*)`,
        String.raw`(?<word>(?<=^[ \t-]*)[\w./-]+(?=:(?:\s|$)))`,
        `(?<text>${text})`,
      ].join("|"),
      "gm",
    ),
  },
};
const otherNames: Readonly<Record<string, string>> = {
  javascript: "js",
  python: "py",
  typescript: "ts",
  tsx: "ts",
  yml: "yaml",
};

/** Code as HTML, with comments, texts and words marked in the languages that the documentation has. */
export function highlight(code: string, language: string): string {
  const known = languages[otherNames[language] ?? language];
  if (known === undefined) return escapeHtml(code);
  let html = "";
  let end = 0;
  for (const match of code.matchAll(known.pattern)) {
    const [name = "word"] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${name}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}
