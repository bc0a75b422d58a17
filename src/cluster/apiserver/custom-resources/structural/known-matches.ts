import { type MatchWork, newMatchWork } from "../../../../api/match-in-steps.ts";
import { compilePattern } from "../../../../api/pattern.ts";

type Outcome = boolean | "too many steps";

/** What a pattern and a text give together. */
interface Pair {
  readonly pattern: string;
  readonly text: string;
}

/** What is known of the patterns of an object that take many steps. Few objects have such. */
export interface KnownMatches {
  /** By pattern and text. */
  readonly outcomes: Map<string, Map<string, Outcome>>;
  /** What is not known yet. */
  readonly pending: Pair[];
  readonly work: MatchWork;
  /** What the patterns of the object that were matched at once took, in steps. */
  atOnce: number;
}

/** What patterns of an object are matched at once, before others are matched with pauses: some milliseconds. */
const mostAtOnce = 500_000;

export function newKnownMatches(): KnownMatches {
  return { outcomes: new Map(), pending: [], work: newMatchWork(), atOnce: 0 };
}

/** Reports whether a text matches; if that takes many steps and is not known yet, it is taken for a match and noted as pending. */
export function isMatch(matches: KnownMatches, pattern: string, text: string): Outcome {
  const compiled = compilePattern(pattern);
  if (!compiled.ok) return false;
  const known = matches.outcomes.get(pattern)?.get(text);
  if (known !== undefined) return known;
  const steps = compiled.pattern.stepsFor(text);
  if (matches.atOnce + steps <= mostAtOnce) {
    matches.atOnce += steps;
    return compiled.pattern.matches(text);
  }
  matches.pending.push({ pattern, text });
  return true;
}

/** Finds out what is pending; pauses after every stretch of work. */
export function* settle(matches: KnownMatches): Generator<undefined, void> {
  yield;
  for (const { pattern, text } of matches.pending) {
    const outcomes = matches.outcomes.get(pattern) ?? new Map<string, Outcome>();
    matches.outcomes.set(pattern, outcomes);
    const compiled = compilePattern(pattern);
    if (outcomes.has(text) || !compiled.ok) continue;
    outcomes.set(text, (yield* compiled.pattern.matchesInSteps(text, matches.work)) ?? "too many steps");
  }
  matches.pending.length = 0;
  matches.atOnce = 0;
}
