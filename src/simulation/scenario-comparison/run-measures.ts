import type { CompletionResult, ScenarioResult, WorkloadSummary } from "../scenario-run/scenario-result.ts";

/** The numbers of one workload that comparisons set side by side, lower ones being better. */
export interface WorkloadMeasures {
  readonly busyPodsRemoved: number;
  readonly workLostSeconds: number;
  /** The highest of all samples. */
  readonly highestSkew: number;
  readonly podHours: number;
  /** Of the changes that were completed, the one that took longest; absent where none was. */
  readonly slowestCompletionSeconds?: number;
  /** Changes that were not complete when the run ended. */
  readonly incompleteChanges: number;
}

/** The same of all workloads of a run, and what only a run has. */
export interface RunMeasures extends WorkloadMeasures {
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

/** Those that a workload has. */
export const workloadMeasureNames = measureNames.filter((name) => name !== "assertionsFailed");

/** The measures of one run, over all of its workloads. */
export function runMeasures(result: ScenarioResult): RunMeasures {
  const { workloads, completions, assertions } = result;
  const assertionsFailed = assertions.filter(({ passed }) => !passed).length;
  return { ...measuresOf(Object.values(workloads), completions), assertionsFailed };
}

/** The measures of each workload of a run. */
export function workloadMeasures({
  workloads,
  completions,
}: ScenarioResult): Readonly<Record<string, WorkloadMeasures>> {
  return Object.fromEntries(
    Object.entries(workloads).map(([workload, summary]) => {
      const own = completions.filter((completion) => completion.workload === workload);
      return [workload, measuresOf([summary], own)];
    }),
  );
}

function measuresOf(
  summaries: readonly WorkloadSummary[],
  completions: readonly CompletionResult[],
): WorkloadMeasures {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const took = completions.flatMap(({ tookSeconds }) => tookSeconds ?? []);
  return {
    busyPodsRemoved: sum(summaries.map(({ busyPodsRemoved }) => busyPodsRemoved)),
    workLostSeconds: sum(summaries.map(({ workLostSeconds }) => workLostSeconds)),
    highestSkew: summaries.reduce((highest, each) => Math.max(highest, each.highestSkew), 0),
    podHours: sum(summaries.map(({ podHours }) => podHours)),
    ...(took.length > 0 && { slowestCompletionSeconds: Math.max(...took) }),
    incompleteChanges: completions.length - took.length,
  };
}
