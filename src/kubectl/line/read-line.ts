import { failure } from "../command-failure.ts";
import type { FlagValue, LineFlag, LineFlags, ReadLine } from "./flag.ts";

/** Reads a command line as kubectl does: flags may stand anywhere before `--`. Throws a `CommandFailure` for a mistake. */
export function readLine(words: readonly string[], flags: LineFlags, command: string): ReadLine {
  const reading: Reading = { words, flags, at: 0, values: new Map(), command };
  const operands: string[] = [];
  while (reading.at < words.length) {
    const word = words[reading.at++] ?? "";
    if (word === "--") {
      const beforeDash = operands.length;
      return { operands: [...operands, ...words.slice(reading.at)], beforeDash, values: reading.values };
    }
    if (word.startsWith("--")) readLong(reading, word.slice(2));
    else if (word.startsWith("-") && word !== "-") readShort(reading, word);
    else operands.push(word);
  }
  return { operands, values: reading.values };
}

interface Reading {
  readonly words: readonly string[];
  readonly flags: LineFlags;
  readonly values: Map<string, FlagValue>;
  readonly command: string;
  at: number;
}

function mistake({ command }: Reading, message: string): Error {
  return failure(`${message}\nSee 'kubectl ${command === "" ? "" : `${command} `}--help' for usage.`);
}

function readLong(reading: Reading, body: string): void {
  const [name = "", ...rest] = body.split("=");
  const flag = Object.hasOwn(reading.flags, name) ? reading.flags[name] : undefined;
  if (flag === undefined) throw mistake(reading, `unknown flag: --${name}`);
  const shown = flag.short === undefined ? `--${name}` : `-${flag.short}, --${name}`;
  const given = rest.length > 0 ? rest.join("=") : impliedOf(flag);
  if (given === undefined && reading.at >= reading.words.length)
    throw mistake(reading, `flag needs an argument: --${name}`);
  store(reading, { name, flag, shown }, given ?? reading.words[reading.at++] ?? "");
}

const impliedOf = (flag: LineFlag): string | undefined => (flag.type === "boolean" ? "true" : flag.implied);

function readShort(reading: Reading, word: string): void {
  let rest = word.slice(1);
  while (rest !== "") {
    const letter = rest[0] ?? "";
    const [name, flag] = Object.entries(reading.flags).find(([, { short }]) => short === letter) ?? [];
    if (name === undefined || flag === undefined)
      throw mistake(reading, `unknown shorthand flag: '${letter}' in -${rest}`);
    rest = readLetter(reading, { name, flag, shown: `-${letter}, --${name}` }, rest);
  }
}

interface NamedFlag {
  readonly name: string;
  readonly flag: LineFlag;
  readonly shown: string;
}

/** Returns what is left of a group of letters. */
function readLetter(reading: Reading, named: NamedFlag, group: string): string {
  const rest = group.slice(1);
  if (rest.startsWith("=")) {
    store(reading, named, rest.slice(1));
    return "";
  }
  const implied = impliedOf(named.flag);
  if (implied !== undefined) {
    store(reading, named, implied);
    return rest;
  }
  if (rest === "" && reading.at >= reading.words.length)
    throw mistake(reading, `flag needs an argument: '${group[0] ?? ""}' in -${group}`);
  store(reading, named, rest === "" ? (reading.words[reading.at++] ?? "") : rest);
  return "";
}

const trueTexts = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const falseTexts = new Set(["0", "f", "F", "false", "FALSE", "False"]);

function store(reading: Reading, { name, flag, shown }: NamedFlag, text: string): void {
  const before = reading.values.get(name);
  const earlier = Array.isArray(before) ? (before as readonly string[]) : [];
  switch (flag.type) {
    case "string":
      reading.values.set(name, text);
      return;
    case "list":
      reading.values.set(name, [...earlier, ...text.split(",")]);
      return;
    case "array":
      reading.values.set(name, [...earlier, text]);
      return;
    case "boolean":
      if (!trueTexts.has(text) && !falseTexts.has(text))
        throw mistake(
          reading,
          `invalid argument ${JSON.stringify(text)} for "${shown}" flag: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`,
        );
      reading.values.set(name, trueTexts.has(text));
  }
}
