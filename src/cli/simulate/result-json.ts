import { type FileOutcomes, hasPassed } from "./result-text.ts";

/** All results as JSON: `kind: ScenarioResults`. */
export function resultsJson(results: readonly FileOutcomes[]): string {
  return withShortLists(JSON.stringify(documentOf(results), undefined, 2));
}

function documentOf(results: readonly FileOutcomes[]): object {
  return {
    apiVersion: "trimtab.dev/v1alpha1",
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
