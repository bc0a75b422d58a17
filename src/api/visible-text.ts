/**
 * Characters that a terminal obeys instead of showing: C0 and C1 controls other than tab and line feed, DEL, and the marks that
 * turn the direction of text, which make a line read otherwise than it is.
 */
// oxlint-disable-next-line no-control-regex
const obeyed = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Makes control characters visible as `\u001b`, which JSON reads as the same character. Lines and tabs stay as they are. */
export function visibleText(text: string): string {
  return text.replace(obeyed, escaped);
}

/** Makes control characters visible and lets text from elsewhere end no line and shift no column. */
export function visibleLine(text: string): string {
  return visibleText(text)
    .replaceAll("\n", String.raw`\n`)
    .replaceAll("\t", String.raw`\t`);
}
