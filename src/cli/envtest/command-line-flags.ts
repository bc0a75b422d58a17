/** The flags of a program as kube-apiserver and etcd read them: `--name=value` or `--name value`. */
export type GivenFlags = ReadonlyMap<string, readonly string[]>;

export type ReadFlags =
  | { readonly ok: true; readonly flags: GivenFlags }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a command line. A flag without a value is `true`: of the flags that do not say so by a name in `switches`, only one
 * that another flag follows, or nothing.
 */
export function readCommandLine(words: readonly string[], switches: ReadonlySet<string>): ReadFlags {
  const flags = new Map<string, readonly string[]>();
  for (let rest = words; rest.length > 0;) {
    const [word = ""] = rest;
    if (!word.startsWith("--") || word === "--") return { ok: false, problem: notAFlag(word) };
    const { name, value, length } = firstFlag(rest, switches);
    flags.set(name, [...(flags.get(name) ?? []), value]);
    rest = rest.slice(length);
  }
  return { ok: true, flags };
}

/** Returns the flag that words begin with, and how many of them it consists of. */
function firstFlag([word = "", next]: readonly string[], switches: ReadonlySet<string>) {
  const [, name = "", value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (value !== undefined) return { name, value, length: 1 };
  const isAlone = switches.has(name) || next === undefined || next.startsWith("--");
  return isAlone ? { name, value: "true", length: 1 } : { name, value: next, length: 2 };
}

function notAFlag(word: string): string {
  if (!word.startsWith("-")) return `unknown command ${JSON.stringify(word)}: only flags are read here`;
  return word === "--"
    ? "bad flag syntax: --"
    : `unknown shorthand flag: ${JSON.stringify(word.slice(1, 2))} in ${word}`;
}

/** Returns the last value of a flag, which counts in Kubernetes; `""` where it was not given. */
export function lastOf(flags: GivenFlags, name: string): string {
  return flags.get(name)?.at(-1) ?? "";
}

/** Returns the items of a flag that may be repeated, or hold several separated by commas. */
export function itemsOf(flags: GivenFlags, name: string): readonly string[] {
  const texts = flags.get(name) ?? [];
  return texts
    .flatMap((text) => text.split(","))
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
