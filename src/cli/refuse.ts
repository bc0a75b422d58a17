import type { Command, Terminal } from "./command.ts";

/** Says what is wrong, a line each under the name of the command, and answers its exit code. */
export function reportErrors(
  terminal: Terminal,
  { name }: Pick<Command, "name">,
  problems: readonly string[],
): number {
  for (const problem of problems) terminal.err(`trimtab ${name}: ${problem}`);
  return 1;
}
