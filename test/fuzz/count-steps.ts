import { PreciseCoverage } from "./precise-coverage.ts";

/**
 * Runs something and returns how many blocks of JavaScript it executed, libraries included: the same number on every machine, unlike
 * time, where code is not optimised. Work within built-in functions is not counted.
 */
export function countSteps(run: () => void): number {
  const coverage = new PreciseCoverage();
  run();
  return stepsOf(coverage);
}

/** The same for what takes turns. */
export async function countStepsOf(run: () => Promise<void>): Promise<number> {
  const coverage = new PreciseCoverage();
  await run();
  return stepsOf(coverage);
}

function stepsOf(coverage: PreciseCoverage): number {
  const blocks = coverage.take().flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
  coverage.stop();
  return blocks.reduce((steps, { count }) => steps + count, 0);
}
