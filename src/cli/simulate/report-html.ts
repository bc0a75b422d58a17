import { createHash } from "node:crypto";

/** The script and the style of reports, as they are built. */
export interface ReportBundle {
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
