import { withoutChance } from "./without-chance.ts";
import type { Spoken } from "./golden-session.ts";
import { isOlder } from "./kubectls.ts";
import type { Shell, Typing } from "./shell.ts";

/** What a person types: a command that works, or one with more to it. */
export type Step = string | (Typing & { readonly type: string; readonly fails?: Fails });

/** By every kubectl, or by those older than a version. */
type Fails = true | { readonly before: string };

/** A session at a terminal, in a namespace of its own. */
export interface Scene {
  /** A sentence. */
  readonly name: string;
  /** The namespace, and the golden file. */
  readonly place: string;
  readonly steps: readonly Step[];
}

/** A command that is refused; with a version, only what is older cannot do it. */
export const refused = (type: string, fails: Fails = true): Step => ({ type, fails });

export interface Played {
  readonly session: readonly Spoken[];
  /** Commands that worked when they should not have, or the other way round, and what they said. */
  readonly surprises: readonly string[];
}

/** Types every step, whatever the one before said. */
export async function play({ steps }: Scene, shell: Shell): Promise<Played> {
  const session: Spoken[] = [];
  const surprises: string[] = [];
  for (const step of steps) {
    const { type, fails, ...typing } = typeof step === "string" ? { type: step, fails: undefined } : step;
    const { code, out, err } = await shell.type(type, typing);
    const said = withoutChance(`${out}${err}`.replaceAll(shell.home, "~"));
    session.push({ command: type, said });
    if ((code !== 0) !== isExpectedToFail(fails, shell))
      surprises.push(`kubectl ${type} ended with ${code}: ${said}`);
  }
  return { session, surprises };
}

function isExpectedToFail(fails: Fails | undefined, { kubectl }: Shell): boolean {
  if (typeof fails !== "object") return fails ?? false;
  return isOlder(kubectl.minor, fails.before);
}
