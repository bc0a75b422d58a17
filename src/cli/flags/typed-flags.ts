import { parseArgs } from "node:util";
import type { Flags, Invocation } from "../command.ts";

/** The values of some flags on a command line that is not complete yet; whatever else is on it is passed over. */
export function typedFlags(words: readonly string[], flags: Flags): Invocation["flags"] {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, short }]) => [
      name,
      short === undefined ? { type } : { type, short },
    ]),
  );
  return parseArgs({ args: [...words], options, strict: false, allowPositionals: true }).values;
}
