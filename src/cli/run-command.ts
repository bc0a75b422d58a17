import { parseArgs } from "node:util";
import { messageOf } from "../api/message-of.ts";
import type { Command, Flags, Terminal } from "./command.ts";
import { helpOf, overview } from "./help.ts";
import { reportErrors } from "./refuse.ts";

/** Finds the command, reads its flags and runs it; a mistake in the words is one sentence and exit code 1. */
export async function runCommand(
  commands: readonly Command[],
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    return showHelp(commands, rest[0], terminal);
  }
  const command = commands.find((candidate) => candidate.name === (name === "--version" ? "version" : name));
  if (command === undefined) {
    terminal.err(`trimtab: there is no command ${JSON.stringify(name)}; trimtab --help lists them`);
    return 1;
  }
  if (rest.includes("--help") || rest.includes("-h")) return showHelp(commands, command.name, terminal);
  const parsed = readWords(command, rest);
  if (typeof parsed === "string") return reportErrors(terminal, command, [parsed]);
  return command.run(parsed, terminal);
}

function showHelp(commands: readonly Command[], name: string | undefined, terminal: Terminal): number {
  const command = commands.find((candidate) => candidate.name === name);
  terminal.out(command === undefined ? overview(commands) : helpOf(command));
  return 0;
}

function readWords(command: Command, words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: optionsOf(command.flags),
      allowPositionals: command.operands !== undefined,
    });
    return { flags: values, arguments: positionals };
  } catch (error) {
    // parseArgs speaks in exceptions; its first sentence is for people, the rest is advice about quoting.
    const text = messageOf(error);
    return text.split(/\.\s/)[0] ?? text;
  }
}

function optionsOf(flags: Flags) {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { help: _help, value: _value, ...option }]) => [name, option]),
  );
}
