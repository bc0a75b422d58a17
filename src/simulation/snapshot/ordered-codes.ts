import { newUid } from "../../machinery/random/identifiers.ts";
import { type Random, randomInt } from "../../machinery/random/random.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
const characters = `0123456789${letters}`;
const length = 9;

/** A name that any object may have: it begins with a letter, and all are equally long. */
export function randomCode(random: Random): string {
  let code = letters[randomInt(random, letters.length)] ?? "";
  while (code.length < length) code += characters[randomInt(random, characters.length)];
  return code;
}

/**
 * Random replacements for texts: as many different ones, in the order of the texts they replace, so that whatever is
 * chosen by order is chosen again. Without the random numbers nothing but the order can be learned from them.
 */
export function orderedReplacements(
  texts: Iterable<string>,
  random: Random,
  draw: (random: Random) => string = randomCode,
): ReadonlyMap<string, string> {
  const sorted = [...new Set(texts)].sort(byCodeUnits);
  const drawn = new Set<string>();
  while (drawn.size < sorted.length) drawn.add(draw(random));
  const replacements = [...drawn].sort(byCodeUnits);
  return new Map(sorted.map((text, index) => [text, replacements[index] ?? ""]));
}

/** Replacements for UIDs, which are UIDs. */
export function orderedUids(uids: Iterable<string>, random: Random): ReadonlyMap<string, string> {
  return orderedReplacements(uids, random, newUid);
}

/** The order in which Kubernetes compares names and UIDs. */
function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
