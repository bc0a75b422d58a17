import { trimtabApiVersion } from "../../api/documents/document-schema.ts";
import { formatDuration } from "../../api/duration.ts";
import type {
  AssertionResult,
  Moment,
  ScenarioResult,
} from "../../simulation/scenario-run/scenario-result.ts";
import type { SeedOutcome } from "../../simulation/scenario-run/run-scenario-seeds.ts";

/** A scenario file and the outcome of each of its seeds, in order. */
export interface FileOutcomes {
  readonly file: string;
  readonly outcomes: readonly SeedOutcome[];
}

/** Shows this many failing seeds in full and names the others. */
const shownFailures = 3;

/** Reports whether a run completed and all of its assertions held. */
export function hasPassed(outcome: SeedOutcome): boolean {
  return outcome.ok && outcome.result.passed;
}

/** The name of the scenario of a file. */
export function scenarioNameOf({ file, outcomes: [first] }: FileOutcomes): string {
  if (first === undefined) return file;
  return first.ok ? first.result.scenario : first.scenario;
}

/** Returns the seeds with which an assertion failed. */
export function failingSeedsOf({ outcomes }: FileOutcomes): readonly number[] {
  return outcomes
    .filter((outcome) => !hasPassed(outcome))
    .map((outcome) => (outcome.ok ? outcome.result.seed : outcome.seed));
}

/** The outcomes of a file for people. */
export function outcomesText({ file, outcomes }: FileOutcomes): string {
  const [first] = outcomes;
  if (outcomes.length === 1 && first !== undefined) return outcomeText(first, file);
  const failed = outcomes.filter((outcome) => !hasPassed(outcome));
  const name = scenarioNameOf({ file, outcomes });
  const passed = outcomes.length - failed.length;
  const head = `${failed.length === 0 ? "PASS" : "FAIL"}  ${name}: ${passed} of ${outcomes.length} seeds pass`;
  if (failed.length === 0) return head;
  const seeds = failingSeedsOf({ file, outcomes });
  return [
    head,
    ...failed.slice(0, shownFailures).map((outcome) => indented(outcomeText(outcome, file))),
    `  failing seeds: ${seeds.join(", ")}`,
    `  to repeat one: trimtab simulate ${file} --seed ${seeds[0] ?? 0} --seeds 1`,
  ].join("\n");
}

function outcomeText(outcome: SeedOutcome, file: string): string {
  if (!outcome.ok)
    return `FAIL  ${outcome.scenario}, seed ${outcome.seed}: the simulation failed: ${outcome.error}`;
  const { result } = outcome;
  const { scenario, seed, durationSeconds, passed } = result;
  const nothing = result.assertions.length === 0 ? [`  no assertions: ${file} only has to run`] : [];
  return [
    `${passed ? "PASS" : "FAIL"}  ${scenario}, seed ${seed}, ${formatDuration(durationSeconds * 1000)}`,
    ...refusedEvents(result),
    ...result.assertions.flatMap(assertionLines),
    ...nothing,
  ].join("\n");
}

function refusedEvents({ events }: ScenarioResult): readonly string[] {
  return events.flatMap(({ text, error, passed, ...moment }) =>
    error === undefined
      ? []
      : [`  ${passed ? "note" : "FAIL"}  at ${timeText(moment)}: ${text}: refused: ${error}`],
  );
}

function assertionLines({ name, passed, extreme, failure }: AssertionResult): readonly string[] {
  if (failure === undefined) {
    const shown = extreme === undefined ? "" : `  (${numberText(extreme.value)} at ${timeText(extreme)})`;
    return [`  ${passed ? "ok  " : "FAIL"}  ${name}${shown}`];
  }
  const { message, change, decision, event } = failure;
  return [
    `  FAIL  ${name}`,
    `        at ${timeText(failure)} (${failure.time}): ${message}`,
    ...(change === undefined ? [] : [`        change: ${change}`]),
    ...(decision === undefined
      ? []
      : [`        decision at ${timeText(decision)}: ${decision.by}: ${decision.text}`]),
    ...(event === undefined ? [] : [`        last event at ${timeText(event)}: ${event.text}`]),
  ];
}

function numberText(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

/** A moment as scenarios write it: `5m12s`. */
export function timeText({ atSeconds }: Pick<Moment, "atSeconds">): string {
  return formatDuration(atSeconds * 1000);
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

/** All results as JSON: `kind: ScenarioResults`. */
export function resultsJson(results: readonly FileOutcomes[]): string {
  return withShortLists(JSON.stringify(documentOf(results), undefined, 2));
}

function documentOf(results: readonly FileOutcomes[]): object {
  return {
    apiVersion: trimtabApiVersion,
    kind: "ScenarioResults",
    passed: results.every(({ outcomes }) => outcomes.every(hasPassed)),
    results: results.flatMap(({ file, outcomes }) =>
      outcomes.map((outcome) =>
        outcome.ok
          ? { file, ...outcome.result }
          : { file, scenario: outcome.scenario, seed: outcome.seed, passed: false, error: outcome.error },
      ),
    ),
  };
}

/** Lists of numbers on one line each: a time series has hundreds of them. */
function withShortLists(json: string): string {
  return json.replace(/\[\n\s+(?:[-\d.e+]+|null)(?:,\n\s+(?:[-\d.e+]+|null))*\n\s+\]/g, (list) =>
    list.replace(/\s+/g, ""),
  );
}
