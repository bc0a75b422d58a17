// What a place of a text has around it, as bits of Go's `regexp/syntax`.
const beginLine = 1;
const endLine = 2;
const beginText = 4;
const endText = 8;
const wordBoundary = 16;
const noWordBoundary = 32;

/** The width of the character at a place in code units; one at the end, behind which the search has ended. */
export function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Returns what a place of a text has around it. */
export function surroundingsAt(text: string, at: number): number {
  const before = at > 0 ? text.charCodeAt(at - 1) : -1;
  const behind = at < text.length ? text.charCodeAt(at) : -1;
  return (
    (before === -1 ? beginText | beginLine : 0) |
    (before === 10 ? beginLine : 0) |
    (behind === -1 ? endText | endLine : 0) |
    (behind === 10 ? endLine : 0) |
    (isWord(before) === isWord(behind) ? noWordBoundary : wordBoundary)
  );
}

/** Reports whether a code unit is a letter of ASCII, a digit or an underscore. */
function isWord(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95
  );
}
