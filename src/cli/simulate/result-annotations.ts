import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { parseLocatedYaml } from "../../machinery/yaml/located-yaml.ts";
import { scenarioKind } from "../../simulation/scenario-files/scenario-schema.ts";
import type { SeedOutcome } from "../../simulation/scenario-run/run-scenario-seeds.ts";
import { type FileOutcomes, timeText } from "./result-text.ts";

/** Something that failed in a run. */
interface Failure {
  readonly seed: number;
  readonly title: string;
  readonly message: string;
  /** The field of the file that it is about; absent: the whole file. */
  readonly field?: string;
}

/**
 * What failed in the runs of a file, as workflow commands of GitHub Actions, which shows them beside the lines of the file. What
 * fails with many seeds is one annotation: GitHub shows only ten of a step.
 */
export function githubAnnotations({ file, outcomes }: FileOutcomes): readonly string[] {
  const failures = outcomes.flatMap(failuresOf);
  if (failures.length === 0) return [];
  const lineOf = lineFinder(file);
  const groups = new Map<string, [Failure, ...Failure[]]>();
  for (const failure of failures) {
    const key = failure.field ?? failure.title;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [failure]);
    else group.push(failure);
  }
  return [...groups.values()].map((group) => {
    const [first] = group;
    const seeds = outcomes.length === 1 ? "" : `${group.length} of ${outcomes.length} seeds, `;
    const line = first.field === undefined ? undefined : lineOf(first.field);
    return annotation({ file, line, title: first.title }, `${seeds}seed ${first.seed}: ${first.message}`);
  });
}

/**
 * Text without workflow commands: the runner obeys a line that begins with `::`, and `##[` anywhere in a line, whatever wrote the
 * name or message that holds it.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^(?=[^\S\r\n\u2028\u2029]*::)/gm, "| ").replaceAll("##[", "# #[");
}

/** A mistake in a file, `file:line:column: what`, as a workflow command. */
export function mistakeAnnotation(mistake: string): string {
  const [, file, line, col, what] = /^(.+?)(?::(\d+):(\d+))?: (.*)$/s.exec(mistake) ?? [];
  return annotation({ file, line, col, title: "Mistake in the scenario" }, what ?? mistake);
}

function failuresOf(outcome: SeedOutcome): readonly Failure[] {
  if (!outcome.ok) return [{ seed: outcome.seed, title: "The simulation failed", message: outcome.error }];
  const { seed, assertions, events } = outcome.result;
  const refused = events.flatMap(({ passed, text, error = "", ...moment }) =>
    passed ? [] : [{ seed, title: text, message: `refused at ${timeText(moment)}: ${error}` }],
  );
  const broken = assertions.flatMap(({ name, failure }, index) =>
    failure === undefined
      ? []
      : [
          {
            seed,
            title: name,
            field: `assertions[${index}]`,
            message: [
              `at ${timeText(failure)}: ${failure.message}`,
              ...(failure.change === undefined ? [] : [`change: ${failure.change}`]),
              ...(failure.decision === undefined
                ? []
                : [`decision: ${failure.decision.by}: ${failure.decision.text}`]),
            ].join("\n"),
          },
        ],
  );
  return [...refused, ...broken];
}

/** Finds the lines of fields; the file has been read before, so that it is there and is YAML. */
function lineFinder(file: string): (field: string) => number | undefined {
  const read = readTextFile(file);
  const parsed = read.ok ? parseLocatedYaml({ file, text: read.text, kind: scenarioKind }) : read;
  return parsed.ok ? parsed.document.lineOf : () => undefined;
}

function annotation(properties: Readonly<Record<string, string | number | undefined>>, message: string) {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined);
  const words = given.map(
    ([name, value]) => `${name}=${escaped(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`,
  );
  return `::error ${words.join(",")}::${escaped(message)}`;
}

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
