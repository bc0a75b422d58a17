/** The flags of a program as kube-apiserver and etcd read them: `--name=value` or `--name value`. */
export type GivenFlags = ReadonlyMap<string, readonly string[]>;

export type ReadFlags =
  | {
      readonly ok: true;
      readonly flags: GivenFlags;
      /** The words that belong to no flag. */
      readonly words: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** What a program knows of its flags. */
export interface KnownFlags {
  /** Those that are `true` without a value, and take one only after `=`. */
  readonly switches: ReadonlySet<string>;
  /** Those that need a value. */
  readonly valued: ReadonlySet<string>;
  /** Names of flags by the letter that stands for them, as in `-v=2`. */
  readonly letters?: ReadonlyMap<string, string>;
}

/**
 * Reads a command line; problems are said as in Kubernetes. A flag that nothing is known of is `true` if another flag follows, or
 * nothing.
 */
export function readCommandLine(words: readonly string[], known: KnownFlags): ReadFlags {
  const flags = new Map<string, readonly string[]>();
  const others: string[] = [];
  for (let rest = words; rest.length > 0;) {
    const [word = "", ...after] = rest;
    if (word === "--") return { ok: true, flags, words: [...others, ...after] };
    const flag = firstFlag(rest, known);
    if (flag === undefined) others.push(word);
    else if ("problem" in flag) return { ok: false, problem: flag.problem };
    else flags.set(flag.name, [...(flags.get(flag.name) ?? []), flag.value]);
    rest = rest.slice(flag?.length ?? 1);
  }
  return { ok: true, flags, words: others };
}

type Flag =
  | { readonly name: string; readonly value: string; readonly length: number }
  | { readonly problem: string; readonly length: 0 };

const unreadable = (problem: string): Flag => ({ problem, length: 0 });

/** Returns the flag that words begin with, and how many of them it consists of; nothing if they begin with no flag. */
function firstFlag(words: readonly string[], known: KnownFlags): Flag | undefined {
  const [word = ""] = words;
  if (word === "-" || !word.startsWith("-")) return undefined;
  return word.startsWith("--") ? flagOfName(words, known) : flagOfLetter(words, known);
}

function flagOfName([word = "", next]: readonly string[], known: KnownFlags): Flag {
  const [, name, value] = /^--([^=-][^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (name === undefined) return unreadable(`bad flag syntax: ${word}`);
  if (value !== undefined) return { name, value, length: 1 };
  if (next === undefined && known.valued.has(name)) return unreadable(`flag needs an argument: --${name}`);
  return next !== undefined && takesNext(name, next, known)
    ? { name, value: next, length: 2 }
    : { name, value: "true", length: 1 };
}

function takesNext(name: string, next: string, { valued, switches }: KnownFlags): boolean {
  return valued.has(name) || !(switches.has(name) || next.startsWith("--"));
}

/** Reads `-v=2`, `-v2` and `-v 2`. */
function flagOfLetter([word = "", next]: readonly string[], { letters }: KnownFlags): Flag {
  const letter = word.slice(1, 2);
  const name = letters?.get(letter);
  if (name === undefined) return unreadable(`unknown shorthand flag: '${letter}' in ${word}`);
  if (word.length > 2) return { name, value: word.slice(2).replace(/^=/, ""), length: 1 };
  return next === undefined
    ? unreadable(`flag needs an argument: '${letter}' in ${word}`)
    : { name, value: next, length: 2 };
}

/** Returns the last value of a flag, which counts in Kubernetes; `""` where it was not given. */
export function lastOf(flags: GivenFlags, name: string): string {
  return flags.get(name)?.at(-1) ?? "";
}

/** Returns the items of a flag that may be repeated, or hold several separated by commas. */
export function commaSeparated(flags: GivenFlags, name: string): readonly string[] {
  const texts = flags.get(name) ?? [];
  return texts
    .flatMap((text) => text.split(","))
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
