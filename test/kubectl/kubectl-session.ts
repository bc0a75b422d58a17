import { maskVolatile } from "./mask-volatile.ts";
import type { CommandOutput } from "./golden-transcript.ts";
import { isOlder } from "./kubectls.ts";
import type { Shell, Typing } from "./shell.ts";

/** What a person types: a command that works, or one with more to it. */
export type Command = string | (Typing & { readonly type: string; readonly fails?: Fails });

/** By every kubectl, or by those older than a version. */
type Fails = true | { readonly before: string };

/** A session at a terminal, in a namespace of its own. */
export interface KubectlSession {
  /** A sentence. */
  readonly name: string;
  /** The namespace, and the golden file. */
  readonly namespace: string;
  readonly commands: readonly Command[];
}

/** A command that is refused; with a version, only what is older cannot do it. */
export const refused = (type: string, fails: Fails = true): Command => ({ type, fails });

export interface SessionResult {
  readonly session: readonly CommandOutput[];
  /** Commands that worked when they should not have, or the other way round, and what they said. */
  readonly unexpected: readonly string[];
}

/** Types every step, whatever the one before said. */
export async function runSession({ commands }: KubectlSession, shell: Shell): Promise<SessionResult> {
  const session: CommandOutput[] = [];
  const surprises: string[] = [];
  for (const step of commands) {
    const { type, fails, ...typing } = typeof step === "string" ? { type: step, fails: undefined } : step;
    const { code, out, err } = await shell.run(type, typing);
    const said = maskVolatile(`${out}${err}`.replaceAll(shell.home, "~"));
    session.push({ command: type, output: said });
    if ((code !== 0) !== isExpectedToFail(fails, shell))
      surprises.push(`kubectl ${type} ended with ${code}: ${said}`);
  }
  return { session, unexpected: surprises };
}

function isExpectedToFail(fails: Fails | undefined, { kubectl }: Shell): boolean {
  if (typeof fails !== "object") return fails ?? false;
  return isOlder(kubectl.minor, fails.before);
}
