import type { Assignment } from "../../src/simulation/run-seeds.ts";
import { findScenario, scenarios } from "../../src/simulation/scenarios/scenarios.ts";

export interface ChaosFlags {
  readonly seeds?: string | undefined;
  readonly seed?: string | undefined;
  readonly scenario?: string | undefined;
}

export type ChosenStories =
  | { readonly ok: true; readonly stories: readonly Assignment[] }
  | { readonly ok: false; readonly problem: string };

const usualCount = 100;

/** Which stories are meant: consecutive seeds, of one scenario or of all in turn. */
export function chooseStories(flags: ChaosFlags): ChosenStories {
  const first = wholeNumber(flags.seed ?? "0");
  const count = wholeNumber(flags.seeds ?? (flags.seed === undefined ? String(usualCount) : "1"));
  if (first === undefined || count === undefined)
    return { ok: false, problem: "--seeds and --seed have to be whole numbers" };
  if (flags.scenario !== undefined && findScenario(flags.scenario) === undefined)
    return { ok: false, problem: `no scenario ${flags.scenario}` };
  return { ok: true, stories: storiesFrom(first, count, flags.scenario) };
}

/** So many stories, whose seeds follow on each other. */
export function storiesFrom(first: number, count: number, scenario?: string): readonly Assignment[] {
  return Array.from({ length: count }, (_, index) => {
    const seed = first + index;
    return { scenario: scenario ?? scenarios[seed % scenarios.length]?.name ?? "", seed };
  });
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
