import type { SeedReport } from "./run-seeds.ts";
import { scenarios } from "./scenarios/scenarios.ts";

/** Whether an invariant was violated, or the trial itself failed. */
export function hasFailed({ violation, error }: SeedReport): boolean {
  return violation !== undefined || error !== undefined;
}

/** The command that repeats a run. */
export function replayCommand({ scenario, seed }: Pick<SeedReport, "scenario" | "seed">): string {
  return `npm run chaos -- --scenario ${scenario} --seed ${seed}`;
}

/** The results of many runs, for the terminal. */
export function summaryOf(reports: readonly SeedReport[], tookMs: number): string {
  const perScenario = scenarios
    .map(({ name }) => reports.filter(({ scenario }) => scenario === name))
    .filter((those) => those.length > 0);
  const failures = reports.filter(hasFailed).sort((a, b) => a.seed - b.seed);
  const perSecond = (reports.length / (tookMs / 1000)).toFixed(1);
  return [
    ...perScenario.map(scenarioLine),
    `${reports.length} runs in ${(tookMs / 1000).toFixed(1)} s, ${perSecond} a second: ${failures.length} failed`,
    ...failures.flatMap(failureLines),
  ].join("\n");
}

function scenarioLine(reports: readonly SeedReport[]): string {
  const sum = (of: (report: SeedReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const struck = sum(({ faults }) => Object.values(faults).reduce((total, count) => total + count, 0));
  const hours = Math.round(sum(({ virtualMs }) => virtualMs) / 3_600_000);
  const failed = reports.filter(hasFailed).length;
  const name = (reports[0]?.scenario ?? "").padEnd(12);
  return `${name} ${reports.length} runs, ${hours} virtual hours, ${sum(({ revisions }) => revisions)} revisions, ${struck} faults, ${failed} failed`;
}

function failureLines(report: SeedReport): readonly string[] {
  const { violation, error } = report;
  const what =
    violation === undefined
      ? (error ?? "")
      : `${violation.description} (${violation.invariant}): ${violation.details}`;
  return ["", what, `  ${replayCommand(report)}`];
}
