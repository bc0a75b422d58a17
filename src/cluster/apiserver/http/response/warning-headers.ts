const longestTotal = 4096;
const longestOne = 256;

/** Warnings as values of the `Warning` header; very many or very long ones are cut, the client should still read the rest. */
export function warningHeaders(texts: readonly string[]): readonly string[] {
  const unique = [...new Set(texts)].filter((text) => text !== "");
  const total = unique.reduce((sum, text) => sum + text.length, 0);
  return unique.map((text) => `299 - "${escaped(total > longestTotal ? text.slice(0, longestOne) : text)}"`);
}

/** Header values are bytes: what is beyond ASCII travels as UTF-8. */
function escaped(text: string): string {
  const plain = text.replaceAll(/\p{Cc}/gu, " ").replaceAll(/["\\]/g, String.raw`\$&`);
  return Buffer.from(plain, "utf8").toString("latin1");
}
