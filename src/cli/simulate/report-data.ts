import {
  type ScenarioComparison,
  compareOutcomes,
} from "../../simulation/scenario-comparison/compare-outcomes.ts";
import type { ScenarioResult } from "../../simulation/scenario-run/scenario-result.ts";
import { failingSeedsOf, type FileOutcomes, scenarioNameOf } from "./result-text.ts";

/** The name of a file without its folders: reports are sent to others. */
function nameOf(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? file;
}

/** A file in a report: how its seeds went, and the first of them in full. */
export interface ReportedFile {
  readonly file: string;
  readonly scenario: string;
  readonly seeds: number;
  readonly failingSeeds: readonly number[];
  /** The first seed; absent where the run itself failed. */
  readonly result?: ScenarioResult;
  readonly error?: string;
}

/** What a report shows: the data that its page has embedded. */
export interface ReportData {
  readonly files: readonly ReportedFile[];
  /** Of the two files, where they were compared. */
  readonly comparison?: ScenarioComparison;
}

/** Returns the data of a report about the outcomes of files. */
export function reportData(results: readonly FileOutcomes[], isComparison: boolean): ReportData {
  const [a, b] = results;
  const files = results.map((each): ReportedFile => {
    const [first] = each.outcomes;
    return {
      file: nameOf(each.file),
      scenario: scenarioNameOf(each),
      seeds: each.outcomes.length,
      failingSeeds: failingSeedsOf(each),
      ...(first?.ok === true && { result: first.result }),
      ...(first?.ok === false && { error: first.error }),
    };
  });
  if (!isComparison || a === undefined || b === undefined) return { files };
  return { files, comparison: compareOutcomes(a.outcomes, b.outcomes) };
}
