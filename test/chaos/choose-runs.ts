import { parseArgs } from "node:util";
import { parseFeatureGates } from "../../src/api/feature-gates.ts";
import { messageOf } from "../../src/api/message-of.ts";
import type { ScenarioRun } from "./run-seeds.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { scenarios } from "./scenarios/scenarios.ts";

/** What the command line asks for. */
export type ChosenRuns =
  | {
      readonly kind: "runs";
      readonly runs: readonly ScenarioRun[];
      /** After so many, no more of them are started. */
      readonly seconds: number;
    }
  | { readonly kind: "help" }
  | { readonly kind: "problem"; readonly problem: string };

const wholeNumber = /^\d{1,9}$/;
const naturalNumber = /^[1-9]\d{0,8}$/;

/** Which runs are meant: consecutive seeds, of one scenario or of all in turn. */
export function chooseRuns(words: readonly string[]): ChosenRuns {
  const flags = readFlags(words);
  if (typeof flags === "string") return { kind: "problem", problem: flags };
  return flags.help === true ? { kind: "help" } : runsOf(flags);
}

function runsOf(flags: Flags): ChosenRuns {
  // A seed without a number of seeds means that one run.
  const { scenario: name, seed = "0", seeds = flags.seed === undefined ? "100" : "1" } = flags;
  const chosen = scenarios.filter((each) => name === undefined || each.name === name);
  if (chosen.length === 0) return { kind: "problem", problem: `no scenario ${name}` };
  if (!wholeNumber.test(seed) || !naturalNumber.test(seeds))
    return { kind: "problem", problem: "--seeds takes a whole number from 1 on, --seed one from 0 on" };
  const seconds = Number(flags.seconds ?? Infinity);
  if (!(seconds > 0)) return { kind: "problem", problem: "--seconds takes a number greater than 0" };
  return withGates(
    { kind: "runs", runs: runsFrom(Number(seed), Number(seeds), chosen), seconds },
    flags["feature-gates"],
  );
}

/** The runs with these feature gates, where any are named. */
function withGates(chosen: ChosenRuns & { kind: "runs" }, text: string | undefined): ChosenRuns {
  if (text === undefined) return chosen;
  const parsed = parseFeatureGates(text);
  if (!parsed.ok) return { kind: "problem", problem: parsed.errors.join("; ") };
  return { ...chosen, runs: chosen.runs.map((run) => ({ ...run, gates: parsed.gates })) };
}

type Flags = Exclude<ReturnType<typeof readFlags>, string>;

/** The flags, or what is wrong with them. */
function readFlags(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        seeds: { type: "string" },
        seed: { type: "string" },
        seconds: { type: "string" },
        scenario: { type: "string" },
        "feature-gates": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    return values;
  } catch (error) {
    // parseArgs throws; its first sentence is for users, the rest is advice about quoting.
    const text = messageOf(error);
    return text.split(/\.\s/)[0] ?? text;
  }
}

/** So many runs with consecutive seeds, of several scenarios in turn. */
export function runsFrom(
  first: number,
  count: number,
  of: readonly Scenario[] = scenarios,
): readonly ScenarioRun[] {
  return Array.from({ length: count }, (_, index) => {
    const seed = first + index;
    return { scenario: of[seed % of.length]?.name ?? "", seed };
  });
}
