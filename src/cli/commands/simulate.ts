import type { Command, Invocation, Terminal } from "../command.ts";
import { reportErrors } from "../command.ts";
import { reportFolder } from "../installed-package.ts";
import { reportData } from "../simulate/report-data.ts";
import { openReport, type ReportFile } from "../simulate/report-file.ts";
import { flagText } from "../flags/flag-values.ts";
import { replayRecording, runAndRecord } from "../simulate/recorded-run.ts";
import { githubAnnotations, mistakeAnnotation, withoutCommands } from "../simulate/result-annotations.ts";
import { resultsJson, type FileOutcomes, hasPassed, outcomesText } from "../simulate/result-text.ts";
import { junitOf } from "../simulate/result-junit.ts";
import { comparedFiles, comparisonJson, comparisonText } from "../simulate/comparison-text.ts";
import { type NamedScenario, runFiles, tasksOf } from "../simulate/run-files.ts";
import { simulateFlags, simulateProblems } from "../simulate/simulate-flags.ts";
import { readScenario } from "../../simulation/scenario-files/read-scenario.ts";

/** Runs scenario files in virtual time; their assertions decide the exit code. */
export const simulate: Command = {
  name: "simulate",
  summary: "Run scenarios in virtual time and check what they assert.",
  operands: "FILE...",
  flags: simulateFlags,
  async run(invocation, terminal) {
    const problems = simulateProblems(invocation);
    if (problems.length > 0) return reportErrors(terminal, simulate, problems);
    const { flags, arguments: files } = invocation;
    if (flags["replay"] !== undefined) return replay(invocation, terminal);
    const read = files.map((file) => ({ file, ...readScenario(file) }));
    const mistakes = read.flatMap((each) => (each.ok ? [] : each.problems));
    if (mistakes.length > 0) return reportMistakes(mistakes, flags, terminal);
    const scenarios = read.flatMap((each) => (each.ok ? [{ file: each.file, scenario: each.scenario }] : []));
    const report = reportOf(flags);
    if (typeof report === "string") return reportErrors(terminal, simulate, [report]);
    const results = await runOrRecord(scenarios, invocation, terminal);
    if (typeof results === "string") return reportErrors(terminal, simulate, [results]);
    terminal.out(formatted(results, flags));
    const unwritten = report?.write(reportData(results, flags["compare"] === true));
    if (unwritten !== undefined) return reportErrors(terminal, simulate, [unwritten]);
    return results.every(({ outcomes }) => outcomes.every(hasPassed)) ? 0 : 1;
  },
};

/** The mistakes in files as editors read them, without the name of the command; returns its exit code. */
function reportMistakes(mistakes: readonly string[], flags: Invocation["flags"], terminal: Terminal): number {
  const isGithub = flags["output"] === "github";
  for (const mistake of mistakes) terminal.err(isGithub ? withoutCommands(mistake) : mistake);
  if (isGithub) terminal.out(mistakes.map(mistakeAnnotation).join("\n"));
  return 1;
}

function replay({ flags }: Invocation, terminal: Terminal): number {
  const at = flags["at"] === undefined ? undefined : flagText(flags, "at");
  const shown = replayRecording(flagText(flags, "replay"), at, flagText(flags, "output") === "json");
  if (!shown.ok) return reportErrors(terminal, simulate, [shown.problem]);
  terminal.out(shown.text);
  return 0;
}

/** Opens the report that the flags ask for; returns a sentence if it cannot be written. */
function reportOf(flags: Invocation["flags"]): ReportFile | string | undefined {
  return flags["report"] === undefined ? undefined : openReport(flagText(flags, "report"), reportFolder());
}

/** Returns the outcomes of the scenarios, or a sentence that says why they were not run. */
async function runOrRecord(
  scenarios: readonly NamedScenario[],
  invocation: Invocation,
  terminal: Terminal,
): Promise<readonly FileOutcomes[] | string> {
  try {
    return invocation.flags["record"] === undefined
      ? await runAll(scenarios, invocation, terminal)
      : await recordOne(scenarios, invocation, terminal);
  } catch (error) {
    if (!terminal.interrupted.aborted) throw error;
    terminal.status?.("");
    return "interrupted";
  }
}

function runAll(
  scenarios: readonly NamedScenario[],
  { flags }: Invocation,
  terminal: Terminal,
): Promise<readonly FileOutcomes[]> {
  // Compared scenarios share the seeds of the first one.
  const seedsOf = flags["compare"] === true ? scenarios[0]?.scenario : undefined;
  return runFiles(
    scenarios.map((each) => tasksOf(each, flags, seedsOf)),
    flags,
    terminal,
  );
}

/** Runs the only scenario with its only seed and records it: a recording holds one run. */
async function recordOne(
  scenarios: readonly NamedScenario[],
  { flags }: Invocation,
  { interrupted }: Terminal,
): Promise<readonly FileOutcomes[] | string> {
  const [only] = scenarios;
  const { tasks } = only === undefined ? { tasks: [] } : tasksOf(only, flags);
  const [task] = tasks;
  if (only === undefined || task === undefined || scenarios.length > 1 || tasks.length > 1)
    return "--record records one run: give one file, and --seeds 1";
  const outcome = await runAndRecord(task, flagText(flags, "record"), interrupted);
  return typeof outcome === "string" ? outcome : [{ file: only.file, outcomes: [outcome] }];
}

function formatted(results: readonly FileOutcomes[], flags: Invocation["flags"]): string {
  const output = flagText(flags, "output");
  const [a, b] = results;
  if (flags["compare"] === true && a !== undefined && b !== undefined) {
    const compared = comparedFiles(a, b);
    return output === "json"
      ? JSON.stringify(comparisonJson(compared), undefined, 2)
      : comparisonText(compared);
  }
  switch (output) {
    case "json":
      return resultsJson(results);
    case "junit":
      return junitOf(results);
    case "github":
      return [
        ...results.map((each) => withoutCommands(outcomesText(each))),
        ...results.flatMap(githubAnnotations),
      ].join("\n");
    default:
      return results.map(outcomesText).join("\n");
  }
}
