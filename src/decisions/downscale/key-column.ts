import type { Key } from "./rules.ts";

/**
 * The keys of one rule, by index of the Pod; all of them are numbers, or all of them are texts.
 *
 * In a typed array, since an array of V8 is represented by what is in it, and code that meets small integers, fractions and
 * texts in turn is compiled for all of them: ranking took three times as long once Pods had been ranked by their UIDs.
 */
export interface KeyColumn {
  /** A number for each key, that rises with the keys; of texts what they begin with. Not a number: not known yet. */
  readonly numbers: Float64Array;
  /** The texts themselves; absent where keys are numbers. */
  texts?: string[];
}

/** A column of so many Pods, no key of which is known. */
export function newKeyColumn(pods: number): KeyColumn {
  return { numbers: new Float64Array(pods).fill(Number.NaN) };
}

export function isKnown({ numbers }: KeyColumn, index: number): boolean {
  return !Number.isNaN(numbers[index]);
}

export function setKey(column: KeyColumn, index: number, key: Key): void {
  const { numbers } = column;
  if (typeof key === "number") numbers[index] = key;
  else {
    numbers[index] = leadingCharacters(key);
    column.texts ??= Array<string>(numbers.length);
    column.texts[index] = key;
  }
}

/** The key at an index; 0 where it is not known. */
export function keyIn({ numbers, texts }: KeyColumn, index: number): Key {
  const number = numbers[index] ?? 0;
  return texts?.[index] ?? (Number.isNaN(number) ? 0 : number);
}

export function isSameKey({ numbers, texts }: KeyColumn, one: number, other: number): boolean {
  return numbers[one] === numbers[other] && texts?.[one] === texts?.[other];
}

/** Negative when the one key is lower, positive when the other is. */
export function compareKeys({ numbers, texts }: KeyColumn, one: number, other: number): number {
  const a = numbers[one] ?? 0;
  const b = numbers[other] ?? 0;
  if (a !== b) return a < b ? -1 : 1;
  if (texts === undefined) return 0;
  const text = texts[one] ?? "";
  const otherText = texts[other] ?? "";
  if (text === otherText) return 0;
  return text < otherText ? -1 : 1;
}

const characters = 7;
const base = 128;

/**
 * The first seven characters of a text as a whole number: of two texts with different numbers, the one with the lower
 * number comes first. Nothing after a character beyond ASCII counts, so that such texts may share a number.
 */
function leadingCharacters(text: string): number {
  let number = 0;
  let isAscii = true;
  for (let place = 0; place < characters; place++) {
    const code = isAscii && place < text.length ? Math.min(text.charCodeAt(place), base - 1) : 0;
    if (code === base - 1) isAscii = false;
    number = number * base + code;
  }
  return number;
}
