import type { Command, Flag, TypedWords } from "../command.ts";

/** What may follow on a command line. */
export interface Completions {
  readonly words: readonly string[];
  /** Whether names of files may follow, too. */
  readonly files: boolean;
}

const nothing: Completions = { words: [], files: false };

/** Returns the completions of the last word, which may be empty; commands may complete their own operands. */
export async function completeWords(
  commands: readonly Command[],
  typed: readonly string[],
  signal: AbortSignal,
): Promise<Completions> {
  const current = typed.at(-1) ?? "";
  const [name = "", ...rest] = typed.slice(0, -1);
  if (typed.length <= 1) return starting(current, [...commands.map((each) => each.name), "help"]);
  const command = commands.find((each) => each.name === name);
  if (command === undefined) return nothing;
  if (command.completeWords !== undefined)
    return { words: await command.completeWords([...rest, current], signal), files: false };
  const [flagName, inlineValue] = splitFlag(current);
  if (inlineValue !== undefined)
    return prefixed(`--${flagName}=`, valuesOf(command.flags[flagName], inlineValue));
  const awaited = flagOf(command, rest.at(-1));
  if (awaited?.type === "string") return valuesOf(awaited, current);
  if (current.startsWith("-"))
    return starting(
      current,
      [...Object.keys(command.flags), "help"].map((each) => `--${each}`),
    );
  return operandsOf(command, { operands: operandsIn(command, rest), typed: rest, current }, signal);
}

async function operandsOf(
  command: Command,
  { operands, typed, current }: TypedWords,
  signal: AbortSignal,
): Promise<Completions> {
  const { operandChoices, completeOperand } = command;
  const isFirst = operands.length === 0;
  if (!isFirst && completeOperand !== undefined)
    return starting(current, await completeOperand({ operands, typed, current }, signal));
  if (operandChoices !== undefined) return starting(current, operandChoices);
  return { words: [], files: command.operands !== undefined };
}

/** The words that are neither flags nor their values. */
function operandsIn(command: Command, words: readonly string[]): readonly string[] {
  return words.filter((word, index) => {
    const isValue = index > 0 && flagOf(command, words[index - 1])?.type === "string";
    return !isValue && !word.startsWith("-");
  });
}

/** Returns the flag that a word names, if the next word is its value. */
function flagOf({ flags }: Command, word = ""): Flag | undefined {
  if (word.startsWith("--")) return word.includes("=") ? undefined : flags[word.slice(2)];
  return word.startsWith("-") ? Object.values(flags).find(({ short }) => short === word.slice(1)) : undefined;
}

function splitFlag(word: string): readonly [name: string, value?: string] {
  const [, name = "", value] = /^--([^=]+)=(.*)$/s.exec(word) ?? [];
  return value === undefined ? [name] : [name, value];
}

function valuesOf(flag: Flag | undefined, current: string): Completions {
  if (flag?.choices !== undefined) return starting(current, flag.choices);
  return { words: [], files: flag?.value === "FILE" };
}

function starting(current: string, words: readonly string[]): Completions {
  return { words: words.filter((word) => word.startsWith(current)), files: false };
}

function prefixed(prefix: string, { words, files }: Completions): Completions {
  return { words: words.map((word) => prefix + word), files };
}
