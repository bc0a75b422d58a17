/** The distribution of numbers: median, the outer tenths, and extremes. */
export interface Distribution {
  readonly count: number;
  readonly median: number;
  readonly p10: number;
  readonly p90: number;
  readonly min: number;
  readonly max: number;
}

/** The distribution of the differences of paired numbers. */
export interface PairedDifference extends Distribution {
  /** In how many pairs the second number is lower, equal and higher. */
  readonly lower: number;
  readonly equal: number;
  readonly higher: number;
}

/** Two numbers of one seed; `undefined` where a run has none. */
export type Pair = readonly [first: number | undefined, second: number | undefined];

/** Returns the distribution of numbers in any order; `undefined` without numbers. */
export function distributionOf(numbers: readonly number[]): Distribution | undefined {
  if (numbers.length === 0) return undefined;
  const sorted = numbers.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    median: quantile(sorted, 0.5),
    p10: quantile(sorted, 0.1),
    p90: quantile(sorted, 0.9),
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
  };
}

/**
 * The spread of second minus first, pair by pair: what seeds have in common cancels out. Pairs without both numbers
 * are left out.
 */
export function pairedDifference(pairs: readonly Pair[]): PairedDifference | undefined {
  const differences = pairs.flatMap(([first, second]) =>
    first === undefined || second === undefined ? [] : [tidied(second - first)],
  );
  const spread = distributionOf(differences);
  if (spread === undefined) return undefined;
  const lower = differences.filter((each) => each < 0).length;
  const higher = differences.filter((each) => each > 0).length;
  return { ...spread, lower, equal: differences.length - lower - higher, higher };
}

/** The number below which a share of sorted numbers lies, between two neighbours by their distance. */
function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const [low = 0, high = low] = sorted.slice(below, below + 2);
  return tidied(low + (high - low) * (position - below));
}

/** Rounds away the digits in which sums depend on their order. */
function tidied(value: number): number {
  return Math.round(value * 1e9) / 1e9 + 0; // adding 0 turns -0 into 0
}
