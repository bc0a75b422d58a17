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

/** A version 4 UUID. */
export function newUid(random: Random): string {
  let digits = "";
  for (let index = 0; index < 32; index++) {
    if (index === 8 || index === 12 || index === 16 || index === 20) digits += "-";
    digits += uuidDigit(index, randomInt(random, 16)).toString(16);
  }
  return digits;
}

function uuidDigit(index: number, random: number): number {
  if (index === 12) return 4; // the version
  if (index === 16) return 8 | (random & 3); // the variant
  return random;
}
