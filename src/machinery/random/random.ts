/** A stream of random numbers, the same for the same seed. */
export interface Random {
  /** The next number in [0, 1). */
  next(): number;
  /** A named stream of its own: numbers drawn from one stream do not affect another. */
  fork(name: string): Random;
}

/** A whole number in [0, limit). */
export function randomInt(random: Random, limit: number): number {
  return Math.floor(random.next() * limit);
}

/** A random item; `undefined` only when there are none. */
export function oneOf<T>(items: readonly T[], random: Random): T | undefined {
  return items[randomInt(random, items.length)];
}

/** The stream of a seed. */
export function seededRandom(seed: string | number): Random {
  const text = String(seed);
  const step = smallFastCounter(hash(text, 1), hash(text, 2), hash(text, 3));
  for (let round = 0; round < 12; round++) step(); // the first numbers still resemble the seed
  return {
    next: () => step() / 2 ** 32,
    fork: (name) => seededRandom(`${text}/${name}`),
  };
}

/** SFC32 (Chris Doty-Humphrey): 128 bits of state, passes PractRand, four additions a number. */
function smallFastCounter(seedA: number, seedB: number, seedC: number): () => number {
  let [a, b, c, counter] = [seedA, seedB, seedC, 1];
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
}

/** FNV-1a, varied by a salt. */
function hash(text: string, salt: number): number {
  let value = Math.imul(0x811c9dc5 ^ salt, 0x01000193);
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value | 0;
}
