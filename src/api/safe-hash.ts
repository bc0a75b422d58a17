/** The digits of hashes: no vowels, and no digits that look like vowels, so that no hash spells a word. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const offset = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1a with 32 bits, continued from an earlier part. */
export function fnv1a(bytes: Iterable<number>, seed = offset): number {
  let hash = seed;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime) >>> 0;
  return hash;
}

/** FNV-1 with 32 bits, which multiplies before it mixes a byte in. */
export function fnv1(bytes: Iterable<number>): number {
  let hash = offset;
  for (const byte of bytes) hash = (Math.imul(hash, prime) ^ byte) >>> 0;
  return hash;
}

/** A number in decimal, its digits written as `4 5 6 7 8 9 b c d f`. */
export function safeEncode(hash: number): string {
  return Array.from(String(hash), (digit) => alphabet[digit.charCodeAt(0) % alphabet.length] ?? "").join("");
}
