import type { SeedOutcome } from "../scenario-run/run-scenario-seeds.ts";
import type { ScenarioResult } from "../scenario-run/scenario-result.ts";
import {
  type MeasureName,
  measureNames,
  type RunMeasures,
  runMeasures,
  workloadMeasureNames,
  type WorkloadMeasures,
  workloadMeasures,
} from "./run-measures.ts";
import {
  type PairedDifference,
  pairedDifference,
  type Distribution,
  distributionOf,
} from "./distribution.ts";

/** A measure of two scenarios over the same seeds; absent where no run has it. */
export interface ComparedMeasure {
  readonly a?: Distribution;
  readonly b?: Distribution;
  /** b minus a, seed by seed. */
  readonly difference?: PairedDifference;
}

/** Both runs of one seed; a run that failed itself has no measures. */
export interface ComparedSeed {
  readonly seed: number;
  readonly a?: RunMeasures;
  readonly b?: RunMeasures;
}

/** Two scenarios on the same seeds. */
export interface ScenarioComparison {
  readonly measures: Readonly<Record<MeasureName, ComparedMeasure>>;
  /** The measures of every workload of either scenario, in their order. */
  readonly workloads: Readonly<Record<string, ComparedWorkload>>;
  readonly seeds: readonly ComparedSeed[];
}

export type ComparedWorkload = Readonly<Record<keyof WorkloadMeasures, ComparedMeasure>>;

/** Compares the outcomes of two scenarios, which are those of the same seeds in the same order. */
export function compareOutcomes(a: readonly SeedOutcome[], b: readonly SeedOutcome[]): ScenarioComparison {
  const pairs = a.map((outcome, index) => [resultOf(outcome), resultOf(b[index])] as const);
  const seeds = pairs.map(([ofA, ofB], index): ComparedSeed => {
    const outcome = a[index];
    return {
      seed: (outcome?.ok === true ? outcome.result.seed : outcome?.seed) ?? 0,
      ...(ofA !== undefined && { a: runMeasures(ofA) }),
      ...(ofB !== undefined && { b: runMeasures(ofB) }),
    };
  });
  return { measures: compareMeasures(measureNames, seeds), workloads: compareWorkloads(pairs), seeds };
}

function resultOf(outcome: SeedOutcome | undefined): ScenarioResult | undefined {
  return outcome?.ok === true ? outcome.result : undefined;
}

type ResultPair = readonly [a: ScenarioResult | undefined, b: ScenarioResult | undefined];

function compareWorkloads(pairs: readonly ResultPair[]): ScenarioComparison["workloads"] {
  const seeds = pairs.map(([a, b]) => ({ a: a && workloadMeasures(a), b: b && workloadMeasures(b) }));
  const workloads = new Set(seeds.flatMap(({ a, b }) => [...Object.keys(a ?? {}), ...Object.keys(b ?? {})]));
  return Object.fromEntries(
    [...workloads].map((workload) => {
      const own = seeds.map(({ a, b }) => ({ a: a?.[workload], b: b?.[workload] }));
      return [workload, compareMeasures(workloadMeasureNames, own)];
    }),
  );
}

/** The measures of both runs of a seed. */
interface MeasuredPair<Name extends string> {
  readonly a?: Readonly<Partial<Record<Name, number>>> | undefined;
  readonly b?: Readonly<Partial<Record<Name, number>>> | undefined;
}

function compareMeasures<Name extends string>(
  names: readonly Name[],
  seeds: readonly MeasuredPair<Name>[],
): Readonly<Record<Name, ComparedMeasure>> {
  const compared = names.map((name) => [name, compareMeasure(seeds, name)] as const);
  // There is an entry for every name.
  return Object.fromEntries(compared) as Record<Name, ComparedMeasure>;
}

function compareMeasure<Name extends string>(
  seeds: readonly MeasuredPair<Name>[],
  name: Name,
): ComparedMeasure {
  const a = distributionOf(seeds.flatMap((each) => each.a?.[name] ?? []));
  const b = distributionOf(seeds.flatMap((each) => each.b?.[name] ?? []));
  const difference = pairedDifference(seeds.map((each) => [each.a?.[name], each.b?.[name]]));
  return {
    ...(a !== undefined && { a }),
    ...(b !== undefined && { b }),
    ...(difference !== undefined && { difference }),
  };
}
