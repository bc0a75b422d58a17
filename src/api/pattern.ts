import { RE2JS, RE2JSException } from "re2js";
import {
  findPartsInSteps,
  type MatchWork,
  newMatchWork,
  pauseIfDue,
  type PatternProgram,
} from "./match-in-steps.ts";

/** A regular expression in the syntax of RE2, whose matching takes time linear in the text. */
export interface Pattern {
  /** The steps that matching a text takes at most. */
  stepsFor(text: string): number;
  /** Reports whether any part of the text matches; without a pause, so only for texts that take few steps. */
  matches(text: string): boolean;
  /** Does so with pauses; `undefined` if it takes more steps than a match may. */
  matchesInSteps(text: string, work?: MatchWork): Generator<undefined, boolean | undefined>;
  /** Returns the parts of the text that match, one after the other, at most `limit` of them. */
  findAll(text: string, limit?: number): Generator<undefined, readonly string[] | undefined>;
}

/** A pattern, or why its text is none. */
export type CompiledPattern =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly error: string };

/** Matching costs up to this many steps per character. */
const mostInstructions = 20_000;
/** Matches of up to this many steps, which take at most some milliseconds, need no pauses. */
export const mostStepsAtOnce = 200_000;
/** Compiling a pattern costs about this many steps at most, before its instructions are counted. */
const mostWork = 400_000;
/** The number of compiled patterns that are kept. */
const mostKept = 1_000;

const kept = new Map<string, CompiledPattern>();

/** Compiles a pattern by the rules of RE2, as Kubernetes does; its errors are those of Go. */
export function compilePattern(source: string): CompiledPattern {
  const known = kept.get(source);
  if (known !== undefined) return known;
  const compiled = compile(source);
  if (kept.size >= mostKept) kept.clear();
  kept.set(source, compiled);
  return compiled;
}

function compile(source: string): CompiledPattern {
  const tooLarge = { ok: false, error: `error parsing regexp: expression too large: \`${source}\`` } as const;
  if (source.length * repetitionsIn(source) > mostWork) return tooLarge;
  try {
    const program = RE2JS.compile(source);
    return program.programSize() > mostInstructions ? tooLarge : { ok: true, pattern: patternOf(program) };
  } catch (error) {
    if (error instanceof RE2JSException) return { ok: false, error: error.message }; // how the library refuses a text
    throw error;
  }
}

/** Returns how often a part of the pattern is repeated at most; RE2 refuses more than a thousand. */
function repetitionsIn(source: string): number {
  let product = 1;
  for (const [, least = "", most = ""] of source.matchAll(/\{([0-9]{1,4})(?:,([0-9]{0,4}))?\}/g)) {
    product *= Math.max(1, Number(least), Number(most));
    if (product >= 1_000) return 1_000;
  }
  return product;
}

function patternOf(compiled: RE2JS): Pattern {
  const size = compiled.programSize();
  const program = compiled.re2Input.prog as PatternProgram;
  const stepsFor = ({ length }: string) => size * length;
  const matches = (text: string) => compiled.matcher(text).find();
  return {
    stepsFor,
    matches,
    *matchesInSteps(text, work = newMatchWork()) {
      if (stepsFor(text) <= mostStepsAtOnce) {
        work.sincePause += stepsFor(text);
        yield* pauseIfDue(work);
        return matches(text);
      }
      const parts = yield* findPartsInSteps(program, text, { limit: 1, work });
      return parts && parts.length > 0;
    },
    *findAll(text, limit = Number.POSITIVE_INFINITY) {
      const parts = yield* findPartsInSteps(program, text, { limit, work: newMatchWork() });
      return parts?.map(({ start, end }) => text.slice(start, end));
    },
  };
}
