/**
 * Characters that a terminal interprets instead of showing: C0 and C1 controls other than tab and line feed, DEL, and the
 * marks that change the direction of text, which make a line look different from what it contains.
 */
// oxlint-disable-next-line no-control-regex
const obeyed = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Makes control characters visible as `\u001b`, which JSON reads as the same character. Lines and tabs stay as they are. */
export function visibleText(text: string): string {
  return text.replace(obeyed, escaped);
}

/** Makes control characters, line feeds and tabs visible, so that foreign text cannot break lines or columns. */
export function visibleLine(text: string): string {
  return visibleText(text)
    .replaceAll("\n", String.raw`\n`)
    .replaceAll("\t", String.raw`\t`);
}
