import type { CommandOutput } from "./golden-transcript.ts";
import { isOlder } from "./kubectls.ts";
import { maskVolatile } from "./mask-volatile.ts";
import type { Shell, Typing } from "./shell.ts";

/** The words behind `kubectl`; as an object where the command has input or has to fail. */
export type Command = string | (Typing & { readonly words: string; readonly fails?: Fails });

/** Fails with every kubectl, or with those older than a version. */
type Fails = true | { readonly before: string };

/** Commands typed one after the other, in a namespace of their own. */
export interface KubectlSession {
  /** A sentence. */
  readonly name: string;
  /** Also the name of the golden file. */
  readonly namespace: string;
  readonly commands: readonly Command[];
}

/** A command that fails; with a version, only with older kubectls. */
export const refused = (words: string, fails: Fails = true): Command => ({ words, fails });

export interface SessionResult {
  readonly outputs: readonly CommandOutput[];
  /** Commands that succeeded or failed contrary to what the session expects, with their output. */
  readonly unexpected: readonly string[];
}

/** Runs every command, also after one that failed. */
export async function runSession({ commands }: KubectlSession, shell: Shell): Promise<SessionResult> {
  const outputs: CommandOutput[] = [];
  const unexpected: string[] = [];
  for (const command of commands) {
    const { words, fails, ...typing } =
      typeof command === "string" ? { words: command, fails: undefined } : command;
    const { code, out, err } = await shell.run(words, typing);
    const output = maskVolatile(`${out}${err}`.replaceAll(shell.home, "~"));
    outputs.push({ command: words, output });
    if ((code !== 0) !== isExpectedToFail(fails, shell))
      unexpected.push(`kubectl ${words} ended with ${code}: ${output}`);
  }
  return { outputs, unexpected };
}

function isExpectedToFail(fails: Fails | undefined, { kubectl }: Shell): boolean {
  if (typeof fails !== "object") return fails ?? false;
  return isOlder(kubectl.minor, fails.before);
}
