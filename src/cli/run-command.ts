import { parseArgs } from "node:util";
import { messageOf } from "../api/message-of.ts";
import { showingControls } from "./colours.ts";
import { type Command, type Flags, reportErrors, type Terminal } from "./command.ts";
import { nearestName } from "../api/nearest-name.ts";

/** Finds the command, parses its flags and runs it; an invalid command line is one sentence and exit code 1. */
export async function runCommand(
  commands: readonly Command[],
  args: readonly string[],
  screen: Terminal,
): Promise<number> {
  const terminal = showingControls(screen);
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    return showHelp(commands, rest[0], terminal);
  }
  const command = commands.find((candidate) => candidate.name === (name === "--version" ? "version" : name));
  if (command === undefined) {
    terminal.err(`trimtab: unknown command ${JSON.stringify(name)}; ${adviceFor(name, commands)}`);
    return 1;
  }
  if (command.readsOwnWords === true)
    return command.run({ flags: {}, arguments: rest, words: rest }, terminal);
  if (asksForHelp(rest)) return showHelp(commands, command.name, terminal);
  const parsed = parseFlags(command, rest);
  if (typeof parsed === "string") return reportErrors(terminal, command, [parsed]);
  return command.run(parsed, terminal);
}

/** Words behind `--` are not for us. */
function asksForHelp(words: readonly string[]): boolean {
  const separator = words.indexOf("--");
  const own = separator === -1 ? words : words.slice(0, separator);
  return own.includes("--help") || own.includes("-h");
}

function adviceFor(typed: string, commands: readonly Command[]): string {
  const meant = nearestName(typed.toLowerCase(), [...commands.map(({ name }) => name), "help"]);
  return meant === undefined ? "trimtab --help lists the commands" : `did you mean "${meant}"?`;
}

function showHelp(commands: readonly Command[], name: string | undefined, terminal: Terminal): number {
  const command = commands.find((candidate) => candidate.name === name);
  terminal.out(command === undefined ? overview(commands) : helpOf(command));
  return 0;
}

function parseFlags(command: Command, args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      // As kubectl reads it: parseArgs would take the sign for a part of the value.
      args: args.map((word) => word.replace(/^-([a-zA-Z])=/, "-$1")),
      options: optionsOf(command.flags),
      allowPositionals: command.operands !== undefined,
    });
    return { flags: values, arguments: positionals, words: args };
  } catch (error) {
    // parseArgs throws; its first sentence has the error, the rest is advice about quoting.
    const text = messageOf(error);
    const [first = text] = text.split(/\.\s/);
    const [, unknown] = /^Unknown option '--([^']+)'$/.exec(first) ?? [];
    if (unknown !== undefined) return unknownFlag(unknown, command);
    return first.replace("argument is ambiguous", "needs a value; one that begins with a dash follows a =");
  }
}

function unknownFlag(typed: string, { name, flags }: Command): string {
  const meant = nearestName(typed, Object.keys(flags));
  const advice = meant === undefined ? `trimtab ${name} --help lists the flags` : `did you mean --${meant}?`;
  return `unknown flag --${typed}; ${advice}`;
}

function optionsOf(flags: Flags) {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { help: _help, value: _value, choices: _choices, ...option }]) => [
      name,
      option,
    ]),
  );
}

const description =
  "Which Pods Kubernetes removes, when it replaces them, and where they land: see it, test it, steer it.";

/** What `trimtab --help` prints. */
function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [command.name, command.summary] as const);
  return [
    description,
    "",
    "Usage: trimtab COMMAND [FLAGS]",
    "",
    ...columns(rows),
    "",
    "Run trimtab COMMAND --help for the flags of a command.",
  ].join("\n");
}

/** What `trimtab COMMAND --help` prints. */
export function helpOf(command: Command): string {
  const rows = Object.entries(command.flags).map(([name, flag]) => {
    const value = flag.type === "boolean" ? "" : ` ${flag.value ?? "VALUE"}`;
    const isOff = flag.default === undefined || flag.default === false || flag.default === "";
    const fallback = isOff ? "" : ` (default ${String(flag.default)})`;
    const short = flag.short === undefined ? "" : `-${flag.short}, `;
    return [`${short}--${name}${value}`, `${flag.help}${fallback}`] as const;
  });
  const operands = command.operands === undefined ? "" : ` [${command.operands}]`;
  const usage = `Usage: trimtab ${command.name}${rows.length > 0 ? " [FLAGS]" : ""}${operands}`;
  return [command.summary, "", usage, ...(rows.length > 0 ? ["", ...columns(rows)] : [])].join("\n");
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
