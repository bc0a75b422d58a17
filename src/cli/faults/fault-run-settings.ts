import path from "node:path";
import { parseDuration } from "../../api/duration.ts";
import { profileProblems } from "../../simulation/outside-faults/fault-settings.ts";
import { readOnlyFaults } from "../../simulation/outside-faults/only-faults.ts";
import type { Flags, Invocation } from "../command.ts";
import { flagText, numberProblems } from "../flags/flag-values.ts";

/** The settings of `trimtab faults run`. */
export interface FaultRunSettings {
  /** The program and its arguments. */
  readonly words: readonly string[];
  readonly first: number;
  readonly seeds: number;
  readonly profile: string;
  readonly user?: string;
  readonly agent?: string;
  /** Whether the command starts its own clusters, by `trimtab envtest`. */
  readonly isEnvtest: boolean;
  readonly nodes: number;
  readonly timeoutMs: number;
  /** Whether no further seed is tried once one has failed. */
  readonly stopsAtFailure: boolean;
  /** How many runs narrowing may take; 0: it is not narrowed. */
  readonly narrowRuns: number;
  /** The file for the faults that a failing seed was narrowed to. */
  readonly save?: string;
  /** The file with the only faults to inject. */
  readonly only?: string;
}

export const faultRunFlags: Flags = {
  seeds: { type: "string", default: "50", value: "N", help: "How many seeds to try" },
  first: { type: "string", default: "1", value: "SEED", help: "The first of them" },
  profile: {
    type: "string",
    default: "rough",
    value: "PROFILE",
    help: "gentle, rough, or faults by their names, joined by +",
  },
  user: { type: "string", value: "NAME", help: "Disturb only requests of this user" },
  agent: { type: "string", value: "PREFIX", help: "Disturb only requests whose User-Agent begins with this" },
  envtest: {
    type: "boolean",
    help: "The command starts its clusters by trimtab envtest; otherwise it gets one, in $KUBECONFIG",
  },
  nodes: { type: "string", default: "3", value: "N", help: "Number of simulated nodes of that cluster" },
  timeout: { type: "string", default: "10m", value: "DURATION", help: "A run that takes longer has failed" },
  "until-failure": { type: "boolean", help: "Try no further seed when one has failed" },
  "narrow-runs": {
    type: "string",
    default: "60",
    value: "N",
    help: "How often the command may run to find the fewest faults that break it; 0: not at all",
  },
  save: { type: "string", value: "FILE", help: "Write the faults that were found there, for --only" },
  only: { type: "string", value: "FILE", help: "Inject only the faults in this file, and none else" },
};

export type ReadFaultRun =
  | { readonly ok: true; readonly settings: FaultRunSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

const most = 1_000_000_000;

/** Reads the command line of `trimtab faults run`; the problems are one sentence each. */
export function readFaultRun({ flags, arguments: operands, words = [] }: Invocation): ReadFaultRun {
  const separator = words.indexOf("--");
  const command = separator === -1 ? [] : words.slice(separator + 1);
  const timeoutMs = parseDuration(flagText(flags, "timeout")) ?? 0;
  const problems = [
    ...(operands[0] === "run" ? [] : ["the only thing to do with faults is: run -- COMMAND…"]),
    ...(command.length > 0 ? [] : ["a command is missing: trimtab faults run -- go test ./..."]),
    ...(separator !== -1 && operands.length > 1 + command.length
      ? ["only the command behind -- has operands"]
      : []),
    ...numberProblems(flags, "seeds", { least: 1, most }),
    ...numberProblems(flags, "first", { least: 0, most }),
    ...numberProblems(flags, "nodes", { least: 0, most: 5000 }),
    ...numberProblems(flags, "narrow-runs", { least: 0, most: 10_000 }),
    ...profileProblems(flagText(flags, "profile")).map((problem) => `--profile: ${problem}`),
    ...(timeoutMs > 0 ? [] : ["--timeout must be a duration above 0, such as 90s or 10m"]),
    ...commaProblems(flags),
    ...onlyProblems(flags),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const settings = {
    words: command,
    first: Number(flags["first"]),
    seeds: Number(flags["seeds"]),
    profile: flagText(flags, "profile"),
    ...given(flags, ["user", "agent", "save", "only"]),
    isEnvtest: flags["envtest"] === true,
    nodes: Number(flags["nodes"]),
    timeoutMs,
    stopsAtFailure: flags["until-failure"] === true,
    narrowRuns: Number(flags["narrow-runs"]),
  };
  return { ok: true, settings };
}

function given(
  flags: Invocation["flags"],
  names: readonly ("user" | "agent" | "save" | "only")[],
): Partial<Pick<FaultRunSettings, "user" | "agent" | "save" | "only">> {
  return Object.fromEntries(
    names
      .filter((name) => flags[name] !== undefined)
      .map((name) => {
        const text = flagText(flags, name);
        return [name, name === "save" || name === "only" ? path.resolve(text) : text];
      }),
  );
}

/** Settings of faults are separated by commas in the variable that hands them on. */
function commaProblems(flags: Invocation["flags"]): readonly string[] {
  return ["user", "agent", "only"]
    .filter((name) => /^$|,/.test(flags[name] === undefined ? "-" : flagText(flags, name)))
    .map((name) => `--${name} must not be empty, and must not have a comma`);
}

/** Reads the file now: otherwise the first run would say that it cannot be read. */
function onlyProblems(flags: Invocation["flags"]): readonly string[] {
  if (flags["only"] === undefined) return [];
  const found = readOnlyFaults(flagText(flags, "only"));
  return found.ok ? [] : [`--only ${found.problem}`];
}
