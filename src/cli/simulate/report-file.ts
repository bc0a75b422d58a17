import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../api/message-of.ts";
import type { ReportData } from "./report-data.ts";
import { createHash } from "node:crypto";

/** A report that can be written. */
export interface ReportFile {
  /** Replaces what the file had; a sentence where that fails. */
  readonly write: (data: ReportData) => string | undefined;
}

/**
 * Checks that a report can be written, with the script and style in a folder, before anything is run; a sentence
 * where it cannot. A report that is there stays until there is a new one.
 */
export function openReport(file: string, bundleFolder: string): ReportFile | string {
  const sentence = (error: unknown) => `--report ${file}: ${messageOf(error)}`;
  try {
    const isNew = !existsSync(file);
    closeSync(openSync(file, "a"));
    if (isNew) rmSync(file);
  } catch (error) {
    return sentence(error);
  }
  const bundle = readBundle(bundleFolder);
  if (bundle === undefined) return `--report ${file}: the page of reports is not built: run npm run build`;
  return {
    write(data) {
      try {
        writeFileSync(file, reportHtml(data, bundle));
        return undefined;
      } catch (error) {
        return sentence(error);
      }
    },
  };
}

function readBundle(folder: string): ReportBundle | undefined {
  try {
    const read = (name: string) => readFileSync(path.join(folder, name), "utf8");
    return { script: read("report.js"), style: read("report.css") };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The script and the style of reports, as they are built. */
interface ReportBundle {
  readonly script: string;
  readonly style: string;
}

/** One page with everything in it. Its policy allows the two inline parts by their hashes and nothing else: no network at all. */
export function reportHtml(data: object, bundle: ReportBundle): string {
  const script = withoutEndTags(bundle.script);
  const style = withoutEndTags(bundle.style);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Trimtab report</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="report"></div>
<noscript>This report draws itself with JavaScript, which is in the file. Nothing is loaded.</noscript>
<script type="application/json" id="data">${embeddedJson(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** JSON that is safe inside of a script element, whatever names it has: no character that HTML would read is left. */
export function embeddedJson(data: object): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** In scripts and styles such text is only in strings, where a backslash before these characters changes nothing. */
function withoutEndTags(text: string): string {
  return text.replace(/<(?=\/(?:script|style)|!--)/gi, "<\\");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
