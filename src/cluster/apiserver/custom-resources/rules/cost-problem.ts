/** The estimated cost that a rule or a message may have, with all its evaluations. */
export const expressionCostLimit = 10_000_000;
/** The estimated cost that all rules of a schema may have. */
export const schemaCostLimit = 100_000_000;

/** Returns the sentence about a cost that exceeds its limit. */
export function costProblem(of: string, cost: number, limit: number): string {
  const advice =
    "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";
  return `${of} exceeds budget by factor of ${factorOf(cost / limit)} ${advice}`;
}

function factorOf(factor: number): string {
  if (factor > 100) return "more than 100x";
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
}
