import type { AssertionResult, ScenarioResult } from "../../simulation/scenario-run/scenario-result.ts";
import { type FileOutcomes, timeText } from "./result-text.ts";

/** The outcomes as JUnit XML: a suite for each seed of each file, a case for each assertion and refused event. */
export function junitOf(files: readonly FileOutcomes[]): string {
  const suites = files.flatMap(({ file, outcomes }) =>
    outcomes.map((outcome) =>
      outcome.ok
        ? resultSuite(outcome.result, file)
        : suite(`${outcome.scenario}, seed ${outcome.seed}`, file, [
            failedCase("the simulation runs", outcome.error, outcome.error),
          ]),
    ),
  );
  return ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", ...suites, "</testsuites>"].join("\n");
}

interface Case {
  readonly isFailed: boolean;
  readonly lines: readonly string[];
}

function resultSuite({ scenario, seed, assertions, events }: ScenarioResult, file: string): string {
  const refused = events
    .filter(({ passed }) => !passed)
    .map(({ text, error = "", ...moment }) =>
      failedCase(`at ${timeText(moment)}: ${text}`, `refused: ${error}`, error),
    );
  return suite(`${scenario}, seed ${seed}`, file, [...refused, ...assertions.map(assertionCase)]);
}

function suite(name: string, file: string, cases: readonly Case[]): string {
  const failures = cases.filter(({ isFailed }) => isFailed).length;
  return [
    `  <testsuite name="${escaped(name)}" file="${escaped(file)}" tests="${cases.length}" failures="${failures}">`,
    ...cases.flatMap(({ lines }) => lines),
    "  </testsuite>",
  ].join("\n");
}

function assertionCase({ name, failure }: AssertionResult): Case {
  if (failure === undefined) return { isFailed: false, lines: [`    <testcase name="${escaped(name)}"/>`] };
  const { message, change, decision, event } = failure;
  const details = [
    `at ${timeText(failure)} (${failure.time}): ${message}`,
    ...(change === undefined ? [] : [`change: ${change}`]),
    ...(decision === undefined
      ? []
      : [`decision at ${timeText(decision)}: ${decision.by}: ${decision.text}`]),
    ...(event === undefined ? [] : [`last event at ${timeText(event)}: ${event.text}`]),
  ];
  return failedCase(name, `at ${timeText(failure)}: ${message}`, details.join("\n"));
}

function failedCase(name: string, message: string, details: string): Case {
  return {
    isFailed: true,
    lines: [
      `    <testcase name="${escaped(name)}">`,
      `      <failure message="${escaped(message)}">${escaped(details)}</failure>`,
      "    </testcase>",
    ],
  };
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text for XML, without the control characters that XML does not allow. */
function escaped(text: string): string {
  const allowed = Array.from(text).filter((each) => each >= " " || each === "\n" || each === "\t");
  return allowed.join("").replace(/[&<>"']/g, (each) => entities[each] ?? "");
}
