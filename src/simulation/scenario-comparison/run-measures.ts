import type { ScenarioResult } from "../scenario-run/scenario-result.ts";

/** The numbers of a run that comparisons set side by side, lower ones being better. */
export interface RunMeasures {
  readonly busyPodsRemoved: number;
  readonly workLostSeconds: number;
  /** Of all workloads and samples. */
  readonly highestSkew: number;
  readonly podHours: number;
  /** Of the changes of workloads that were completed, the one that took longest; absent where none was. */
  readonly slowestCompletionSeconds?: number;
  /** Changes that were not complete when the run ended. */
  readonly incompleteChanges: number;
  readonly assertionsFailed: number;
}

export type MeasureName = keyof RunMeasures;

/** The measures in the order in which they are shown, as people call them. */
export const measureTitles: Readonly<Record<MeasureName, string>> = {
  busyPodsRemoved: "Pods removed while busy",
  workLostSeconds: "work lost",
  highestSkew: "highest zone skew",
  podHours: "Pod-hours",
  slowestCompletionSeconds: "longest time to complete",
  incompleteChanges: "changes not completed",
  assertionsFailed: "assertions failed",
};

export const measureNames = Object.keys(measureTitles) as readonly MeasureName[];

/** The measures of one run, over all of its workloads. */
export function runMeasures({ workloads, completions, assertions }: ScenarioResult): RunMeasures {
  const all = Object.values(workloads);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const took = completions.flatMap(({ tookSeconds }) => tookSeconds ?? []);
  return {
    busyPodsRemoved: sum(all.map(({ busyPodsRemoved }) => busyPodsRemoved)),
    workLostSeconds: sum(all.map(({ workLostSeconds }) => workLostSeconds)),
    highestSkew: all.reduce((highest, each) => Math.max(highest, each.highestSkew), 0),
    podHours: sum(all.map(({ podHours }) => podHours)),
    ...(took.length > 0 && { slowestCompletionSeconds: Math.max(...took) }),
    incompleteChanges: completions.length - took.length,
    assertionsFailed: assertions.filter(({ passed }) => !passed).length,
  };
}
