import type { ParseArgsConfig } from "node:util";

/** Where a command writes; streams are passed in so that tests can read them. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Says what is going on to whoever sits there; nobody else hears of it. */
  readonly progress?: (text: string) => void;
  /** Aborts when the person asks the program to end. */
  readonly interrupted: AbortSignal;
}

/** The flags of a command as `parseArgs` reads them, with a line of help each. */
export type Flags = Readonly<
  Record<
    string,
    NonNullable<ParseArgsConfig["options"]>[string] & { readonly help: string; readonly value?: string }
  >
>;

export interface Invocation {
  readonly flags: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly arguments: readonly string[];
}

/** One word after `trimtab`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What may follow the flags, for the usage line; absent: nothing may. */
  readonly operands?: string;
  readonly flags: Flags;
  /** Resolves to the exit code. A sentence for people is printed by the command itself. */
  readonly run: (invocation: Invocation, terminal: Terminal) => Promise<number>;
}
