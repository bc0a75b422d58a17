import type { ParseArgsConfig } from "node:util";

/** Where a command writes; passed in so that tests can read it. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Prints text without a line end; absent where everything printed is lines. */
  readonly write?: (text: string) => void;
  /** Whether what is printed may have colours. */
  readonly colours?: boolean;
  /** Shows progress on an interactive terminal only. */
  readonly progress?: (text: string) => void;
  /** Shows how far a command is, on an interactive terminal only: each text replaces the one before, an empty one ends it. */
  readonly status?: (text: string) => void;
  /** Aborts when the user interrupts the program. */
  readonly interrupted: AbortSignal;
  /** Calls the listener on every SIGHUP, which otherwise interrupts the program; the returned function stops that. */
  readonly onHangUp?: (listener: () => void) => () => void;
  /** Calls the listener whenever the user presses Enter; absent where no user sits at a terminal. */
  readonly onEnter?: (listener: () => void) => () => void;
  /** Starts `trimtab WORDS` in the background. */
  readonly detach?: (words: readonly string[], options: DetachOptions) => Promise<Detached>;
  /** Reports to the process that started this one in the background that it is ready; absent in the foreground. */
  readonly ready?: (text: string) => void;
}

/** How a program is started in the background. */
export interface DetachOptions {
  /** The file that gets its output. */
  readonly log: string;
  readonly workingDirectory: string;
  /** Ends it if it is not ready yet. */
  readonly signal: AbortSignal;
}

/** The result of starting a program in the background: it is ready, or it ended with these errors. */
export type Detached =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly errors: readonly string[] };

/** A flag as `parseArgs` reads it, with a line of help. */
export type Flag = NonNullable<ParseArgsConfig["options"]>[string] & {
  readonly help: string;
  /** What help calls its value; shells complete a FILE. */
  readonly value?: string;
  /** The allowed values; absent: any. */
  readonly choices?: readonly string[];
};

export type Flags = Readonly<Record<string, Flag>>;

export interface Invocation {
  readonly flags: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly arguments: readonly string[];
  /** Flags and operands as they were typed. */
  readonly words?: readonly string[];
}

/** A command line that is being typed. */
export interface TypedWords {
  /** The last word, which may be empty. */
  readonly current: string;
  readonly operands: readonly string[];
  /** All words after the name of the command but the last. */
  readonly typed: readonly string[];
}

/** A subcommand of `trimtab`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The operands after the flags, as the usage line shows them; absent: none. */
  readonly operands?: string;
  /** The allowed operands; absent: files. */
  readonly operandChoices?: readonly string[];
  /** Completes the first operand, with objects of a cluster for example; may reject. */
  readonly completeOperand?: (typed: TypedWords, signal: AbortSignal) => Promise<readonly string[]>;
  readonly flags: Flags;
  /** The command reads its words itself, `--help` included; they are in `words`. */
  readonly readsOwnWords?: true;
  /** Completes the last of the words of a command that reads them itself; may reject. */
  readonly completeWords?: (words: readonly string[], signal: AbortSignal) => Promise<readonly string[]>;
  /** Resolves to the exit code; the command prints its own errors. */
  readonly run: (invocation: Invocation, terminal: Terminal) => Promise<number>;
}

/** Prints each error after the name of the command; returns its exit code. */
export function reportErrors(
  terminal: Terminal,
  { name }: Pick<Command, "name">,
  errors: readonly string[],
): number {
  for (const error of errors) terminal.err(`trimtab ${name}: ${error}`);
  return 1;
}

/** Waits until the user interrupts the program; whenever the user presses Enter meanwhile, a text is printed. */
export async function untilInterrupted(terminal: Terminal, onEnter: () => string): Promise<void> {
  const stopListening = terminal.onEnter?.(() => terminal.out(onEnter()));
  const { interrupted } = terminal;
  if (!interrupted.aborted)
    await new Promise((resolve) => interrupted.addEventListener("abort", resolve, { once: true }));
  stopListening?.();
}
