import { trimtabApiVersion } from "../../api/documents/document-schema.ts";
import {
  type ComparedMeasure,
  type ComparedWorkload,
  type ScenarioComparison,
  compareOutcomes,
} from "../../simulation/scenario-comparison/compare-outcomes.ts";
import {
  differenceText,
  spreadMeaning,
  spreadText,
} from "../../simulation/scenario-comparison/measure-text.ts";
import {
  type MeasureName,
  measureNames,
  measureTitles,
  workloadMeasureNames,
} from "../../simulation/scenario-comparison/run-measures.ts";
import { failingSeedsOf, type FileOutcomes, hasPassed, outcomesText, scenarioNameOf } from "./result-text.ts";
import { visibleLine } from "../../api/visible-text.ts";

/** Two scenarios that ran on the same seeds, and their comparison. */
export interface ComparedFiles {
  readonly a: FileOutcomes;
  readonly b: FileOutcomes;
  readonly comparison: ScenarioComparison;
}

/** Compares the outcomes of two files. */
export function comparedFiles(a: FileOutcomes, b: FileOutcomes): ComparedFiles {
  return { a, b, comparison: compareOutcomes(a.outcomes, b.outcomes) };
}

/** A comparison for people: the measures side by side, then what failed. */
export function comparisonText({ a, b, comparison }: ComparedFiles): string {
  const { seeds, measures, workloads } = comparison;
  const rows = measureNames.map((name) => measureRow(name, measures[name]));
  const each = Object.entries(workloads);
  const failed = [a, b].filter(({ outcomes }) => !outcomes.every(hasPassed));
  return [
    ...tableLines([headOf("a", a), headOf("b", b)]),
    "",
    ...tableLines([headsOf("", seeds), ...rows]),
    // With one workload, its measures equal those of the run.
    ...(each.length > 1 ? each.flatMap((own) => ["", ...tableLines(workloadRows(own, seeds))]) : []),
    ...(seeds.length > 1 ? ["", `${seedsText(seeds)}: ${spreadMeaning(seeds.length)}`] : []),
    ...failed.flatMap((each) => ["", outcomesText(each)]),
  ].join("\n");
}

function headOf(letter: string, { file, outcomes }: FileOutcomes): readonly string[] {
  const passed = outcomes.filter(hasPassed).length;
  const verdict = passed === outcomes.length ? "PASS" : "FAIL";
  return [
    `${verdict}  ${letter}`,
    scenarioNameOf({ file, outcomes }),
    file,
    `${passed} of ${outcomes.length} seeds pass`,
  ];
}

function headsOf(title: string, seeds: ScenarioComparison["seeds"]): readonly string[] {
  return [title, "a", "b", "b - a", ...(seeds.length > 1 ? ["seeds with b lower, equal, higher"] : [])];
}

function workloadRows(
  [workload, measures]: readonly [string, ComparedWorkload],
  seeds: ScenarioComparison["seeds"],
): readonly (readonly string[])[] {
  return [headsOf(workload, seeds), ...workloadMeasureNames.map((name) => measureRow(name, measures[name]))];
}

function measureRow(name: MeasureName, { a, b, difference }: ComparedMeasure): readonly string[] {
  return [
    measureTitles[name],
    spreadText(name, a),
    spreadText(name, b),
    spreadText(name, difference, differenceText),
    ...(difference === undefined || difference.count < 2
      ? []
      : [[difference.lower, difference.equal, difference.higher].join(", ")]),
  ];
}

function seedsText(seeds: ScenarioComparison["seeds"]): string {
  return `seeds ${seeds[0]?.seed ?? 0} to ${seeds.at(-1)?.seed ?? 0}`;
}

/** A comparison as data. */
export function comparisonJson({ a, b, comparison }: ComparedFiles): object {
  const scenarios = Object.fromEntries(
    Object.entries({ a, b }).map(([letter, { file, outcomes }]) => [
      letter,
      {
        file,
        scenario: scenarioNameOf({ file, outcomes }),
        passed: outcomes.every(hasPassed),
        failingSeeds: failingSeedsOf({ file, outcomes }),
        errors: outcomes.flatMap((outcome) =>
          outcome.ok ? [] : [{ seed: outcome.seed, error: outcome.error }],
        ),
      },
    ]),
  );
  return {
    apiVersion: trimtabApiVersion,
    kind: "ScenarioComparison",
    passed: [a, b].every(({ outcomes }) => outcomes.every(hasPassed)),
    scenarios,
    ...comparison,
  };
}

/** Rows as lines of text, their columns one below the other. */
export function tableLines(table: readonly (readonly string[])[]): readonly string[] {
  const rows = table.map((cells) => cells.map(visibleLine));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  return rows.map((cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("   ")
      .trimEnd(),
  );
}
