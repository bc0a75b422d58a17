import { nearestName } from "../api/nearest-name.ts";
import { CommandFailure, failure, notSupportedHere } from "./command-failure.ts";
import { commands } from "./commands.ts";
import type { Context } from "./context.ts";
import { failureText } from "./failure-text.ts";
import { commandHelp, overview } from "./help.ts";
import type { KubectlCommand } from "./kubectl-command.ts";
import type { KubectlIo } from "./kubectl-io.ts";
import { globalFlags } from "./line/common-flags.ts";
import { type FlagReader, flagReader, type ReadLine } from "./line/flag.ts";
import { readLine } from "./line/read-line.ts";
import { serverOf } from "./server/server.ts";
import { timeLimitOf, TimedOut, withinTime } from "./waiting/time-limit.ts";

/** Runs the words behind `kubectl`; resolves to the exit code, and never rejects. */
export async function runKubectl(args: readonly string[], io: KubectlIo): Promise<number> {
  try {
    return (await run(args, io)) ?? 0;
  } catch (error) {
    if (io.signal.aborted) return 130;
    const text = failureText(error);
    if (text !== "") io.err(text.endsWith("\n") ? text : `${text}\n`);
    return error instanceof CommandFailure ? error.code : 1;
  }
}

async function run(args: readonly string[], io: KubectlIo): Promise<number | void> {
  const words = commandWords(args);
  const [first] = words;
  if (first === undefined || first === "help") {
    io.out(overview(commands));
    return;
  }
  if (first === "trimtab") return runTrimtab(io, args.slice(args.indexOf("trimtab") + 1));
  const { command, path } = commandAt(words);
  const flags = { ...globalFlags, ...command.flags };
  const line = readLine(args, flags, path.join(" "));
  const reader = flagReader(flags, line.values);
  if (command.run === undefined || reader.isOn("help")) {
    io.out(commandHelp(command, path));
    return command.run === undefined ? 1 : 0;
  }
  for (const name of ["context", "kubeconfig"])
    if (reader.isGiven(name)) throw notSupportedHere(`--${name} behind kubectl`);
  return runLimited(contextOf(io, { line, reader, path }), command.run);
}

/** `--request-timeout` ends the requests of a command, and so a watch. */
async function runLimited(
  context: Context,
  command: NonNullable<KubectlCommand["run"]>,
): Promise<number | void> {
  const limit = timeLimitOf(context.text("request-timeout"), "request-timeout");
  return withinTime(context, limit > 0 ? limit : undefined, command).catch((error: unknown) => {
    if (!(error instanceof TimedOut)) throw error;
    if (!context.isOn("watch") && !context.isOn("watch-only")) throw failure("context deadline exceeded");
  });
}

interface Parsed {
  readonly line: ReadLine;
  readonly reader: FlagReader;
  /** The words of the command. */
  readonly path: readonly string[];
}

function contextOf(io: KubectlIo, { line, reader, path }: Parsed): Context {
  const { beforeDash } = line;
  return {
    ...reader,
    io,
    server: serverOf(io),
    command: path.join(" "),
    operands: line.operands.slice(path.length),
    ...(beforeDash !== undefined && { beforeDash: beforeDash - path.length }),
    namespace: reader.isGiven("namespace") ? reader.text("namespace") : (io.namespace ?? "default"),
    isNamespaceGiven: reader.isGiven("namespace"),
  };
}

function runTrimtab(io: KubectlIo, words: readonly string[]): Promise<number> {
  if (io.trimtab === undefined) throw notSupportedHere("kubectl trimtab here");
  return io.trimtab(words);
}

/** The words that are neither flags nor values of global flags, until one is no command any more. */
function commandWords(args: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-")) words.push(word);
    else if (takesValue(word)) index++;
  }
  return words;
}

function takesValue(word: string): boolean {
  return Object.entries(globalFlags).some(
    ([name, { type, short }]) => type !== "boolean" && (word === `--${name}` || word === `-${short ?? ""}`),
  );
}

/** Follows the words of a line as far as they name commands. */
function commandAt([first = "", ...rest]: readonly string[]): {
  readonly command: KubectlCommand;
  readonly path: readonly string[];
} {
  let command = named(commands, first);
  if (command === undefined) throw unknownCommand(first);
  const path = [first];
  for (const word of rest) {
    const next: KubectlCommand | undefined = named(command.commands ?? {}, word);
    if (next === undefined) break;
    command = next;
    path.push(word);
  }
  return { command, path };
}

function named(among: Readonly<Record<string, KubectlCommand>>, name: string): KubectlCommand | undefined {
  if (Object.hasOwn(among, name)) return among[name];
  return Object.values(among).find(({ aliases = [] }) => aliases.includes(name));
}

/** Commands of the real kubectl that this one does not have. */
const lacking = new Set(
  "alpha attach certificate completion config cp debug diff events exec kustomize options plugin port-forward proxy".split(
    " ",
  ),
);

function unknownCommand(name: string): CommandFailure {
  if (lacking.has(name)) return notSupportedHere(`kubectl ${name}`);
  const meant = nearestName(name, Object.keys(commands));
  const advice = meant === undefined ? "" : `\n\nDid you mean this?\n\t${meant}`;
  return failure(`unknown command ${JSON.stringify(name)} for "kubectl"${advice}`);
}
