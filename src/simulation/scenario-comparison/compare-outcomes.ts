import type { SeedOutcome } from "../scenario-run/run-scenario-seeds.ts";
import { type MeasureName, measureNames, type RunMeasures, runMeasures } from "./run-measures.ts";
import { type PairedDifference, pairedDifference, type Spread, spreadOf } from "./spread.ts";

/** A measure of two scenarios over the same seeds; absent where no run has it. */
export interface ComparedMeasure {
  readonly a?: Spread;
  readonly b?: Spread;
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
export interface Comparison {
  readonly measures: Readonly<Record<MeasureName, ComparedMeasure>>;
  readonly seeds: readonly ComparedSeed[];
}

/** Compares the outcomes of two scenarios, which are those of the same seeds in the same order. */
export function compareOutcomes(a: readonly SeedOutcome[], b: readonly SeedOutcome[]): Comparison {
  const seeds = a.map((outcome, index): ComparedSeed => {
    const [ofA, ofB] = [measuresOf(outcome), measuresOf(b[index])];
    return {
      seed: outcome.ok ? outcome.result.seed : outcome.seed,
      ...(ofA !== undefined && { a: ofA }),
      ...(ofB !== undefined && { b: ofB }),
    };
  });
  const measures = Object.fromEntries(measureNames.map((name) => [name, compareMeasure(seeds, name)]));
  return { measures: measures as Record<MeasureName, ComparedMeasure>, seeds };
}

function measuresOf(outcome: SeedOutcome | undefined): RunMeasures | undefined {
  return outcome?.ok === true ? runMeasures(outcome.result) : undefined;
}

function compareMeasure(seeds: readonly ComparedSeed[], name: MeasureName): ComparedMeasure {
  const a = spreadOf(seeds.flatMap((each) => each.a?.[name] ?? []));
  const b = spreadOf(seeds.flatMap((each) => each.b?.[name] ?? []));
  const difference = pairedDifference(seeds.map((each) => [each.a?.[name], each.b?.[name]]));
  return {
    ...(a !== undefined && { a }),
    ...(b !== undefined && { b }),
    ...(difference !== undefined && { difference }),
  };
}
