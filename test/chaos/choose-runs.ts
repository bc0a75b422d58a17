import { parseArgs } from "node:util";
import { messageOf } from "../../src/api/message-of.ts";
import type { ScenarioRun } from "../../src/simulation/run-seeds.ts";
import { findScenario, scenarios } from "../../src/simulation/scenarios/scenarios.ts";

/** What was asked for. */
export type ChosenRuns =
  | { readonly kind: "stories"; readonly stories: readonly ScenarioRun[] }
  | { readonly kind: "help" }
  | { readonly kind: "problem"; readonly problem: string };

const wholeNumber = /^\d{1,9}$/;
const naturalNumber = /^[1-9]\d{0,8}$/;

/** Which stories are meant: consecutive seeds, of one scenario or of all in turn. */
export function chooseRuns(words: readonly string[]): ChosenRuns {
  const flags = readFlags(words);
  if (typeof flags === "string") return { kind: "problem", problem: flags };
  if (flags.help === true) return { kind: "help" };
  // Who names a seed means that one.
  const { scenario, seed = "0", seeds = flags.seed === undefined ? "100" : "1" } = flags;
  if (scenario !== undefined && findScenario(scenario) === undefined)
    return { kind: "problem", problem: `no scenario ${scenario}` };
  if (!wholeNumber.test(seed) || !naturalNumber.test(seeds))
    return { kind: "problem", problem: "--seeds takes a whole number from 1 on, --seed one from 0 on" };
  return { kind: "stories", stories: runsFrom(Number(seed), Number(seeds), scenario) };
}

/** The flags, or what is wrong with them. */
function readFlags(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        seeds: { type: "string" },
        seed: { type: "string" },
        scenario: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    return values;
  } catch (error) {
    // parseArgs speaks in exceptions; its first sentence is for people, the rest is advice about quoting.
    const text = messageOf(error);
    return text.split(/\.\s/)[0] ?? text;
  }
}

/** So many stories, whose seeds follow on each other. */
export function runsFrom(first: number, count: number, scenario?: string): readonly ScenarioRun[] {
  return Array.from({ length: count }, (_, index) => {
    const seed = first + index;
    return { scenario: scenario ?? scenarios[seed % scenarios.length]?.name ?? "", seed };
  });
}
