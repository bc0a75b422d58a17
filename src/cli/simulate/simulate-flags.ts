import type { Flags, Invocation } from "../command.ts";
import { numberProblems, flagText } from "../flags/flag-values.ts";

const outputs = ["text", "json", "junit", "github"] as const;

export const simulateFlags: Flags = {
  output: {
    type: "string",
    short: "o",
    default: "text",
    choices: outputs,
    value: "FORMAT",
    help: `What to print: ${outputs.join(", ")}`,
  },
  seed: { type: "string", value: "N", help: "The first seed, instead of the scenario's" },
  seeds: { type: "string", value: "N", help: "How many seeds to run, instead of the scenario's number" },
  threads: {
    type: "string",
    value: "N",
    help: "How many seeds to run at a time (default: as many as there are processors)",
  },
  compare: { type: "boolean", help: "Run two files on the same seeds and show what is between them" },
  report: { type: "string", value: "FILE", help: "Write a page with plots and tables of the results" },
  record: { type: "string", value: "FILE", help: "Write every revision and decision of the run to a file" },
  replay: {
    type: "string",
    value: "FILE",
    help: "Show the cluster of a recording instead of running anything",
  },
  at: {
    type: "string",
    value: "TIME",
    help: "With --replay: at which time, such as 12m (default: the end)",
  },
};

/** What is wrong with the command line of `simulate`, one sentence each. */
export function simulateProblems({ flags, arguments: files }: Invocation): readonly string[] {
  const output = flagText(flags, "output");
  const numbers = [
    ["seed", { least: 0, most: Number.MAX_SAFE_INTEGER }],
    ["seeds", { least: 1, most: 1_000_000 }],
    ["threads", { least: 1, most: 1024 }],
  ] as const;
  return [
    ...(outputs.some((each) => each === output)
      ? []
      : [`--output must be one of ${outputs.join(", ")}, not ${JSON.stringify(output)}`]),
    ...numbers.flatMap(([name, range]) =>
      flags[name] === undefined ? [] : numberProblems(flags, name, range),
    ),
    ...githubProblems(flags),
    ...(flags["replay"] === undefined ? runProblems(flags, files) : replayProblems(flags, files)),
  ];
}

/** Annotations are about the assertions of the files that are run. */
function githubProblems(flags: Invocation["flags"]): readonly string[] {
  const others = ["replay", "compare"].filter((name) => flags[name] !== undefined && flags[name] !== false);
  return flags["output"] === "github" ? others.map((name) => `--${name} does not print github`) : [];
}

function runProblems(flags: Invocation["flags"], files: readonly string[]): readonly string[] {
  return [
    ...(files.length === 0 ? ["give the scenario files to run"] : []),
    ...(flags["at"] === undefined ? [] : ["--at goes with --replay"]),
    ...(flags["compare"] === true ? compareProblems(flags, files) : []),
  ];
}

function compareProblems(flags: Invocation["flags"], files: readonly string[]): readonly string[] {
  return [
    ...(files.length === 2 || files.length === 0 ? [] : [`--compare takes two files, not ${files.length}`]),
    ...(flags["record"] === undefined ? [] : ["--compare and --record exclude each other"]),
    ...(flagText(flags, "output") === "junit" ? ["--compare prints text or json"] : []),
  ];
}

function replayProblems(flags: Invocation["flags"], files: readonly string[]): readonly string[] {
  return [
    ...(files.length > 0 ? ["--replay shows a recording: give no scenario files"] : []),
    ...(flags["record"] === undefined ? [] : ["--replay and --record exclude each other"]),
    ...["compare", "report"].flatMap((name) =>
      flags[name] === undefined ? [] : [`--replay and --${name} exclude each other`],
    ),
    ...(flagText(flags, "output") === "junit" ? ["--replay prints text or json"] : []),
  ];
}
