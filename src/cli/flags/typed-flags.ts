import { parseArgs } from "node:util";
import type { Flags, Invocation } from "../command.ts";

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
