import type { Invocation, Flags } from "../command.ts";
import { parseArgs } from "node:util";

/** The value of a flag; empty when it is not given. */
export function flagText(flags: Invocation["flags"], name: string): string {
  return String(flags[name] ?? "");
}

/** The errors of a flag that has to be a whole number. */
export function numberProblems(
  flags: Invocation["flags"],
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): readonly string[] {
  const text = flagText(flags, name);
  const isWithin = /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
  return isWithin ? [] : [`--${name} must be a number from ${least} to ${most}`];
}

/** The errors of a flag that has to be one of some words, if it is given. */
export function choiceProblems(
  flags: Invocation["flags"],
  name: string,
  choices: readonly string[],
): readonly string[] {
  const isKnown = flags[name] === undefined || choices.includes(flagText(flags, name));
  return isKnown ? [] : [`--${name} must be one of ${choices.join(", ")}`];
}

/** Returns the values of some flags on an incomplete command line and ignores everything else on it. */
export function typedFlags(words: readonly string[], flags: Flags): Invocation["flags"] {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, short }]) => [
      name,
      short === undefined ? { type } : { type, short },
    ]),
  );
  return parseArgs({ args: [...words], options, strict: false, allowPositionals: true }).values;
}
