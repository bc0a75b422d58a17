import { oneOf, type Random, randomInt } from "../../src/machinery/random/random.ts";

/** What new inputs are made of. */
export interface Material {
  /** Inputs that reached code of their own. */
  readonly corpus: readonly Uint8Array[];
  /** Words of the corpus and of the formats. */
  readonly words: readonly Uint8Array[];
}

/** Longer inputs find little more and take longer. */
const longest = 4096;

/** Returns an input like one of the corpus, changed at one to eight places. */
export function mutate(material: Material, random: Random): Uint8Array {
  let input = oneOf(material.corpus, random) ?? new Uint8Array();
  for (let changes = 1 + randomInt(random, 8); changes > 0; changes--)
    input = (oneOf(mutations, random) ?? flipBit)(input, material, random);
  return input.subarray(0, longest);
}

type Mutation = (input: Uint8Array, material: Material, random: Random) => Uint8Array;

const flipBit: Mutation = (input, _material, random) => {
  if (input.length === 0) return input;
  const changed = Uint8Array.from(input);
  const at = randomInt(random, input.length);
  changed[at] = (changed[at] ?? 0) ^ (1 << randomInt(random, 8));
  return changed;
};

const setByte: Mutation = (input, _material, random) => {
  const { start } = rangeIn(input, random);
  return replaced(input, { start, end: start + 1 }, Uint8Array.of(randomInt(random, 256)));
};

const insertWord: Mutation = (input, { words }, random) => {
  const { start } = rangeIn(input, random);
  return replaced(input, { start, end: start }, oneOf(words, random) ?? input);
};

const replaceByWord: Mutation = (input, { words }, random) =>
  replaced(input, rangeIn(input, random, 16), oneOf(words, random) ?? input);

const remove: Mutation = (input, _material, random) =>
  replaced(input, rangeIn(input, random), new Uint8Array());

/** Repetition is what makes work that is not proportional to the input show. */
const repeat: Mutation = (input, _material, random) => {
  const { start, end } = rangeIn(input, random, 64);
  const part = input.subarray(start, end);
  const times = 1 + randomInt(random, oneOf([2, 8, 64], random) ?? 2);
  const copies = Array.from({ length: times }, () => part);
  return replaced(input, { start, end: start }, Buffer.concat(copies).subarray(0, longest));
};

/** Takes a part of another input. */
const splice: Mutation = (input, { corpus }, random) => {
  const other = oneOf(corpus, random) ?? input;
  const { start, end } = rangeIn(other, random);
  return replaced(input, rangeIn(input, random, 32), other.subarray(start, end));
};

const mutations: readonly Mutation[] = [
  flipBit,
  setByte,
  insertWord,
  insertWord,
  replaceByWord,
  remove,
  repeat,
  splice,
];

interface Range {
  readonly start: number;
  readonly end: number;
}

function rangeIn({ length }: Uint8Array, random: Random, most = length): Range {
  const start = randomInt(random, length + 1);
  return { start, end: start + randomInt(random, Math.min(most, length - start) + 1) };
}

function replaced(input: Uint8Array, { start, end }: Range, part: Uint8Array): Uint8Array {
  return Buffer.concat([input.subarray(0, start), part, input.subarray(end)]);
}

/** The words and the punctuation of some inputs, each once. */
export function wordsOf(inputs: readonly Uint8Array[]): readonly Uint8Array[] {
  const found = new Set(formats);
  for (const input of inputs)
    for (const word of Buffer.from(input)
      .toString("latin1")
      .match(/[\w$.~-]+|[^\w\s]+/g) ?? [])
      found.add(word);
  return [...found].map((word) => Buffer.from(word, "latin1"));
}

/** Pieces of YAML and JSON that matter to parsers. */
const formats = [
  "\n",
  "\n  ",
  "\n- ",
  "---\n",
  "...\n",
  "%YAML 1.2\n---\n",
  "&a ",
  "*a",
  "*a,",
  "<<: *a",
  "!!binary ",
  "!!set ",
  "!!merge ",
  "? ",
  ": ",
  "|\n ",
  ">-\n ",
  "{}",
  "[]",
  "[[",
  "]]",
  '"',
  "'",
  "\\u0000",
  "\\ud800",
  "null",
  "true",
  "-1",
  "1e999",
  ".inf",
  "9007199254740993",
  "__proto__",
  "constructor",
  "\u00ff",
];
