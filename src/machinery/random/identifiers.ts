import { type Random, randomInt } from "./random.ts";

// upstream: apimachinery, util/rand
/** The letters of generated names: no vowels, so that no words appear, and no look-alikes. */
const nameLetters = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;

/** What the API server appends to a `generateName`. */
export function nameSuffix(random: Random): string {
  let suffix = "";
  for (let index = 0; index < suffixLength; index++)
    suffix += nameLetters[randomInt(random, nameLetters.length)];
  return suffix;
}

const dash = "-".charCodeAt(0);
const hexCodes = Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));

/** A version 4 UUID. */
export function newUid(random: Random): string {
  // One text from its characters: digits that are appended one by one stay linked pieces, 20 times as large.
  const codes: number[] = [];
  for (let index = 0; index < 32; index++) {
    if (index === 8 || index === 12 || index === 16 || index === 20) codes.push(dash);
    codes.push(hexCodes[uuidDigit(index, randomInt(random, 16))] ?? dash);
  }
  return String.fromCharCode(...codes);
}

function uuidDigit(index: number, random: number): number {
  if (index === 12) return 4; // the version
  if (index === 16) return 8 | (random & 3); // the variant
  return random;
}
